package dev.outbox;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A star, not a stack. */
class ArchitectureTest {

    private static final String ROOT = "dev.outbox";
    private static final String POSTGRESQL = "dev.outbox.postgresql";
    private static final JavaClasses MAIN = new ClassFileImporter()
            .importUrl(Event.class.getProtectionDomain().getCodeSource().getLocation());

    @Test
    void theRootImportsNoLeaf() {
        noClasses()
                .that()
                .resideInAPackage(ROOT)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.outbox.relay..",
                        "dev.outbox.jdbc..",
                        "dev.outbox.kafka..",
                        "dev.outbox.json..",
                        "dev.outbox.micrometer..",
                        "dev.outbox.jpa..")
                .because("contracts and values must not know who implements them")
                .check(MAIN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"relay", "jdbc", "kafka", "json", "micrometer", "jpa"})
    void aLeafImportsTheRootAndNoOtherLeaf(String leaf) {
        String name = "dev.outbox." + leaf;
        noClasses()
                .that()
                .resideInAPackage(name)
                .should()
                .dependOnClassesThat(
                        resideInAPackage("dev.outbox..").and(not(resideInAnyPackage(name, ROOT, POSTGRESQL))))
                .because("a leaf can be replaced, and understood, without the others")
                .check(MAIN);
    }

    @Test
    void everythingIsInTheRootOrAKnownLeaf() {
        classes()
                .should()
                .resideInAnyPackage(
                        ROOT,
                        POSTGRESQL,
                        "dev.outbox.relay",
                        "dev.outbox.jdbc",
                        "dev.outbox.kafka",
                        "dev.outbox.json",
                        "dev.outbox.micrometer",
                        "dev.outbox.jpa")
                .because("a package that no rule names would be bound by none")
                .check(MAIN);
    }

    @Test
    void knowsNoSpringBoot() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.springframework.boot..")
                .because("the outbox works in a Spring application that is no Boot application")
                .check(MAIN);
    }

    @ParameterizedTest
    @CsvSource({
        "org.apache.kafka.., kafka, kafka",
        "io.cloudevents.., kafka, kafka",
        "io.micrometer.., micrometer, micrometer",
        "jakarta.persistence.., jpa, jpa",
        "org.springframework.jdbc.., jdbc, jdbc",
        "tools.jackson.., json, jdbc",
    })
    void aTechnologyIsKnownToItsLeavesOnly(String technology, String leaf, String other) {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.outbox." + leaf, "dev.outbox." + other)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(technology)
                .because("whoever needs another broker, store or encoding replaces one leaf")
                .check(MAIN);
    }
}
