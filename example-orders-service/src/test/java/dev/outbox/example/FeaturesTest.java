package dev.outbox.example;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class FeaturesTest {

    private final JavaClasses service = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.outbox.example");

    @Test
    void billingDoesNotUseOrders() {
        noClasses()
                .that()
                .resideInAPackage("..billing..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("..orders..")
                .because("billing knows orders only by their events, as a service of its own would")
                .check(service);
    }

    @Test
    void ordersDoNotUseBilling() {
        noClasses()
                .that()
                .resideInAPackage("..orders..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("..billing..")
                .because("who confirms an order does not know who is interested")
                .check(service);
    }
}
