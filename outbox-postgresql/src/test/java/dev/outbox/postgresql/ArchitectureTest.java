package dev.outbox.postgresql;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private final JavaClasses main = new ClassFileImporter()
            .importUrl(ModuleSchema.class.getProtectionDomain().getCodeSource().getLocation());

    @Test
    void needsNoSpringBoot() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.springframework.boot..")
                .because("the outbox works in a Spring application that is no Boot application")
                .check(main);
    }

    @Test
    void onlyTheMigrationsKnowFlyway() {
        noClasses()
                .that()
                .doNotHaveSimpleName("Migrations")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.flywaydb..")
                .because("what Flyway does by itself is curbed in one place")
                .check(main);
    }
}
