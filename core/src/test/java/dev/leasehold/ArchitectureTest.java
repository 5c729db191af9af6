package dev.leasehold;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
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
        neverDependsOn("HoldingLoop", "Leases", "LeaseTable", "Renewer");
        neverDependsOn("Waiting", "Leases", "LeaseTable", "Renewer");
        neverDependsOn("HistorySql", "HistoryTable", "HistoryWriter", "RunHistory");
        neverDependsOn("HistoryTable", "HistoryWriter", "RunHistory", "Leases");
        neverDependsOn("HistoryWriter", "RunHistory", "Leases", "LeaseTable");
        neverDependsOn("Standing", "Lease", "LeaseTable", "Ticker");
    }

    /** The compiler copies constants, so the class files would not tell. */
    @Test
    void onlyTheTablesKnowTheStatements() throws IOException {
        try (var sources = Files.walk(Path.of("src/main/java"))) {
            assertThat(sources.filter(Files::isRegularFile).filter(ArchitectureTest::usesStatements))
                    .extracting(source -> source.getFileName().toString())
                    .containsExactlyInAnyOrder(
                            "FenceTable.java",
                            "HistoryTable.java",
                            "LeaseTable.java",
                            "OrderTable.java",
                            "SlotTable.java");
        }
    }

    private static boolean usesStatements(Path source) {
        try {
            return Pattern.compile("(?<!link )(Lease|History)Sql\\.")
                    .matcher(Files.readString(source))
                    .find();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
