package dev.leasehold;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Data flows one way: rounds, Leases, Renewer and Releaser, LeaseTable, LeaseSql. */
class ArchitectureTest {

    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(new ImportOption.DoNotIncludeJars())
            .withImportOption(location -> !location.contains("/testkit/"))
            .importPackages("dev.leasehold");

    private static void neverDependsOn(String lower, String... higher) {
        for (String one : higher) {
            noClasses()
                    .that()
                    .haveSimpleName(lower)
                    .should()
                    .dependOnClassesThat()
                    .haveSimpleName(one)
                    .check(CORE);
        }
    }

    @Test
    void eachLayerKnowsOnlyThoseBelow() {
        neverDependsOn("LeaseSql", "LeaseTable", "Renewer", "Releaser", "Leases");
        neverDependsOn("LeaseTable", "Renewer", "Releaser", "Leases", "Lease");
        neverDependsOn("Renewer", "Leases", "Releaser");
        neverDependsOn("Standing", "Lease", "LeaseTable", "Ticker");
    }

    @Test
    void onlyTheTableKnowsTheStatements() {
        classes()
                .that()
                .haveSimpleName("LeaseSql")
                .should()
                .onlyBeAccessed()
                .byClassesThat()
                .haveSimpleName("LeaseTable")
                .check(CORE);
    }

    @Test
    void leasesDoNotKnowRounds() {
        noClasses()
                .that()
                .resideInAPackage("dev.leasehold")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.leasehold.rounds..")
                .check(CORE);
    }

    @Test
    void coreNeedsOnlyTheJdkSlf4jAndJspecify() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "javax.sql..", "org.slf4j..", "org.jspecify..", "dev.leasehold..")
                .check(CORE);
    }
}
