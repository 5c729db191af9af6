package dev.leasehold.watch;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A package a feature; the root package holds what all of them may know. */
class ArchitectureTest {

    private static final List<String> JOBS = List.of("uptime", "alerts", "mail", "sweep");
    private static final JavaClasses WATCH = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.leasehold.watch");

    private static String packages(String name) {
        return "dev.leasehold.watch." + name + "..";
    }

    @Test
    void noJobKnowsAnother() {
        for (String job : JOBS) {
            noClasses()
                    .that()
                    .resideInAPackage(packages(job))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(JOBS.stream()
                            .filter(other -> !other.equals(job))
                            .map(ArchitectureTest::packages)
                            .toArray(String[]::new))
                    .check(WATCH);
        }
    }

    @Test
    void packagesAreFreeOfCycles() {
        slices().matching("dev.leasehold.(**)").should().beFreeOfCycles().check(WATCH);
    }
}
