package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leases;
import dev.leasehold.testkit.PostgresVersion;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestServer;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a finding tells to do can be read by somebody who is tired, and run. */
class RemediesTest {

    private static final List<String> SETTINGS = List.of(
            "idle_session_timeout",
            "statement_timeout",
            "lock_timeout",
            "idle_in_transaction_session_timeout",
            "default_transaction_isolation",
            "synchronous_commit",
            "autovacuum",
            "track_counts",
            "track_activities",
            "fsync",
            "default_transaction_read_only");

    @Test
    void theFindingsAreOfEveryKind() {
        Set<FindingKind> kinds = EveryFinding.all(SETTINGS).stream()
                .map(Finding::kind)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(FindingKind.class)));
        assertThat(kinds).containsExactlyInAnyOrder(FindingKind.values());
    }

    @Test
    void textsAreSentencesWithoutCodeAndSqlIsAStatementALine() {
        for (Finding finding : EveryFinding.all(SETTINGS)) {
            Remedy remedy = finding.remedy();
            assertThat(finding.title()).matches("[^\\p{Cc}\\p{Cf}`]+");
            for (String text : List.of(finding.meaning(), remedy.now(), remedy.forGood())) {
                assertThat(text).matches("|[\\p{Lu}][^\\p{Cc}\\p{Cf}`]+[^.][.]").doesNotContain("Nothing has to");
            }
            assertThat(remedy.sql()).allMatch(sql -> sql.matches("[^\\p{Cc}\\p{Cf}`]+;"));
            assertThat(remedy.now().isEmpty() && !remedy.sql().isEmpty())
                    .as("%s", remedy)
                    .isFalse();
            if (finding.severity() != Severity.INFORMATION) {
                assertThat(remedy.now() + remedy.forGood()).as("%s", finding).isNotEmpty();
                assertThat(finding.meaning()).as("%s", finding).isNotEmpty();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void everyStatementRuns(PostgresVersion version) throws Exception {
        var statements = new LinkedHashSet<String>();
        EveryFinding.all(SETTINGS)
                .forEach(finding -> statements.addAll(finding.remedy().sql()));
        assertThat(statements).hasSizeGreaterThan(50);
        try (TestServer server =
                TestServer.start(version, Map.of("max_prepared_transactions", "5", "wal_level", "logical"))) {
            TestDatabase database = server.freshDatabase();
            Leases.on(database.dataSource()).build().close();
            database.execute("create role " + SqlText.identifier(EveryFinding.ROLE));
            database.execute("create database " + SqlText.identifier(EveryFinding.DATABASE));
            for (String sql : statements) {
                prepare(sql, database);
                try {
                    database.execute(sql);
                } catch (SQLException e) {
                    throw new AssertionError(sql, e);
                }
            }
        }
    }

    /** What it is about. */
    private static void prepare(String sql, TestDatabase database) throws SQLException {
        if (sql.contains(" prepared ")) {
            database.execute("begin; prepare transaction " + SqlText.literal(EveryFinding.PREPARED));
        } else if (sql.contains("drop_replication_slot")) {
            database.execute("select pg_create_logical_replication_slot('" + EveryFinding.SLOT + "', 'pgoutput')");
        } else if (sql.startsWith("drop index")) {
            database.execute("create index odd on leases (expires_at)");
        } else if (sql.contains("drop constraint")) {
            database.execute("alter table leases add constraint odd unique (name, expires_at)");
        } else if (sql.contains("add primary key")) {
            database.execute("alter table leases drop constraint leases_pkey");
        }
    }
}
