package dev.outbox.inbox;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass.Predicates;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final String ROOT = "dev.outbox.inbox";
    private static final String LEAVES = "dev.outbox.inbox.*..";
    private static final String KAFKA = "dev.outbox.inbox.kafka..";
    private static final String MICROMETER = "dev.outbox.inbox.micrometer..";

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(ROOT);

    @Test
    void theRootKnowsNoLeaf() {
        noClasses()
                .that()
                .resideInAPackage(ROOT)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(LEAVES)
                .because("the root holds what users and leaves build on, so it must stand without any of them")
                .check(CLASSES);
    }

    @Test
    void theLeavesDoNotKnowEachOther() {
        slices().matching(ROOT + ".(*)..")
                .should()
                .notDependOnEachOther()
                .because("who consumes without Kafka listeners, or without Micrometer, must be able to load the rest")
                .check(CLASSES);
    }

    @Test
    void onlyItsLeafKnowsJdbc() {
        noClasses()
                .that()
                .resideInAnyPackage(ROOT, KAFKA, MICROMETER)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework.jdbc..")
                .because("every statement stands in the leaf that owns the tables")
                .check(CLASSES);
    }

    @Test
    void onlyItsLeafKnowsMicrometer() {
        noClasses()
                .that()
                .resideOutsideOfPackage(MICROMETER)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.micrometer..")
                .because("an application without Micrometer must be able to load the rest")
                .check(CLASSES);
    }

    @Test
    void neitherOutboxNorBootIsNeeded() {
        noClasses()
                .should()
                .dependOnClassesThat(Predicates.resideInAPackage("org.springframework.boot..")
                        .or(Predicates.resideInAPackage("dev.outbox..")
                                .and(Predicates.resideOutsideOfPackages(ROOT + "..", "dev.outbox.postgresql.."))))
                .because("a service that only consumes needs neither the outbox nor Spring Boot")
                .check(CLASSES);
    }

    @Test
    void noStateIsShared() {
        fields().that()
                .areStatic()
                .should()
                .beFinal()
                .because("two application contexts in one JVM must not meet")
                .check(CLASSES);
    }

    @Test
    void nobodySleeps() {
        noClasses()
                .should()
                .callMethod(Thread.class, "sleep", long.class)
                .because("a sleeping consumer thread leaves its group")
                .check(CLASSES);
    }

    @Test
    void publicClassesAreFinal() {
        classes()
                .that()
                .arePublic()
                .and()
                .areNotInterfaces()
                .and()
                .haveSimpleNameNotEndingWith("Exception")
                .should()
                .haveModifier(JavaModifier.FINAL)
                .because("what users may extend is an interface, so that everything else may change")
                .check(CLASSES);
    }
}
