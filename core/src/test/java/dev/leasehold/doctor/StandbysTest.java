package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Await;
import dev.leasehold.LeaseRow;
import dev.leasehold.Leases;
import dev.leasehold.SchemaMode;
import dev.leasehold.testkit.PostgresVersion;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestServer;
import dev.leasehold.testkit.TestStandby;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A primary and a hot standby that streams from it. */
@ParameterizedClass
@EnumSource
class StandbysTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @SuppressWarnings("NullAway.Init")
    private static TestServer server;

    @SuppressWarnings("NullAway.Init")
    private static TestDatabase primary;

    @SuppressWarnings("NullAway.Init")
    private static TestStandby standby;

    StandbysTest(PostgresVersion version) throws SQLException {
        assertThat(primary.queryForString("show server_version")).startsWith(version.major() + ".");
    }

    @BeforeParameterizedClassInvocation
    static void start(PostgresVersion version) throws Exception {
        server = TestServer.start(version, Map.of("autovacuum", "off")); // which would wait in a commit, too
        primary = server.freshDatabase();
        primary.execute("create role ordinary login");
        try (var leases = Leases.on(primary.dataSource()).build()) {
            assertThat(leases.tryAcquire("sweep").lease()).isPresent();
            leases.runHistory().build();
            primary.execute("update leases set expires_at = now() + interval '1 hour'");
            standby = TestStandby.of(primary, "second");
        }
        awaitReplication("async");
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        standby.close();
        server.close();
    }

    @AfterEach
    void nobodyWaits() throws Exception {
        synchronousWith("");
    }

    private static void awaitReplication(String sync) throws Exception {
        Await.until(
                "a standby that is " + sync,
                PATIENCE,
                () -> primary.queryForLong(
                                "select count(*) from pg_stat_replication where state = 'streaming' and sync_state = '"
                                        + sync + "'")
                        == 1);
    }

    private static void synchronousWith(String names) throws Exception {
        primary.execute("alter system set synchronous_standby_names = '" + names + "'");
        primary.execute("select pg_reload_conf()");
        Await.until(
                "the setting is there",
                PATIENCE,
                () -> names.equals(primary.queryForString("select current_setting('synchronous_standby_names')")));
    }

    private static List<Finding> replication(DataSource dataSource) {
        return Told.of(Doctor.on(dataSource).look(), FindingKind.REPLICATION);
    }

    @Test
    void aStandbyIsReadOnlyAndNamesItsPrimaryAndItsLeasesCanBeRead() {
        Diagnosis diagnosis = Doctor.on(standby.dataSource(primary)).look();
        Finding told = Told.the(FindingKind.READ_ONLY, "standby", diagnosis);
        assertThat(told.severity()).isEqualTo(Severity.PROBLEM);
        assertThat(told.title())
                .isEqualTo("this server is a standby of localhost:" + primary.port() + ": nothing can be written here");
        assertThat(told.remedy().forGood())
                .contains("targetServerType=primary")
                .contains("target_session_attrs=read-write");
        assertThat(Found.rows(Told.the(FindingKind.LEASES, "1 lease is held", diagnosis)))
                .singleElement()
                .satisfies(row -> assertThat(row).startsWith("sweep"));
        assertThat(Told.of(diagnosis, FindingKind.REPLICATION)).isEmpty();
    }

    @Test
    void leasesAndTheRunHistoryCanBeReadOnAStandby() {
        DataSource source = standby.dataSource(primary);
        try (var leases = Leases.on(source).schema(SchemaMode.NONE).build()) {
            assertThat(leases.rows()).extracting(LeaseRow::name).containsExactly("sweep");
            var history = leases.runHistory().schema(SchemaMode.NONE).build();
            assertThat(history.runs(10)).isEmpty();
            assertThat(history.runs("sweep", 10)).isEmpty();
        }
    }

    @Test
    void withoutASynchronousStandbyAFailoverLosesCommits() {
        List<Finding> findings = replication(primary.dataSource());
        Finding told = Told.the("no commit waits", findings);
        assertThat(findings).hasSize(1);
        assertThat(told.severity()).isEqualTo(Severity.INFORMATION);
        assertThat(told.title()).startsWith("1 standby receiver,");
        assertThat(Found.rows(told))
                .singleElement()
                .satisfies(row -> assertThat(row).startsWith("second", "127.0.0.1", "streaming", "async"));
    }

    @Test
    void anOrdinaryRoleSeesThatSomebodyReceivesAndConcludesNothingElse() throws Exception {
        DataSource ordinary = primary.dataSourceAs("ordinary", "");
        assertThat(Found.rows(Told.the("no commit waits", replication(ordinary))))
                .containsExactly(List.of("second", "", "", "", ""));
        synchronousWith("nobody");
        Finding told = Told.the("is hidden from this role", replication(ordinary));
        assertThat(told.severity()).isEqualTo(Severity.INFORMATION);
        Diagnosis ofStandby =
                Doctor.on(standby.dataSourceAs("ordinary", primary)).look();
        assertThat(Told.the(FindingKind.READ_ONLY, "standby", ofStandby).title())
                .isEqualTo("this server is a standby: nothing can be written here");
    }

    @Test
    void commitsThatWaitForAStreamingStandbyAreInformation() throws Exception {
        synchronousWith("second");
        awaitReplication("sync");
        Finding told = Told.the("commits wait for a synchronous standby (second)", replication(primary.dataSource()));
        assertThat(told.severity()).isEqualTo(Severity.INFORMATION);
    }

    @Test
    void commitsThatHangAreAProblem() throws Exception {
        synchronousWith("nobody");
        CompletableFuture<Void> commit = CompletableFuture.runAsync(
                () -> {
                    try {
                        primary.execute("create table hangs (id int)");
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                },
                task -> new Thread(task).start());
        Await.until(
                "a commit hangs",
                PATIENCE,
                () -> primary.queryForLong("select count(*) from pg_stat_activity where wait_event = 'SyncRep'") == 1);
        Finding told = Told.the("commits hang", replication(primary.dataSource()));
        assertThat(told.severity()).isEqualTo(Severity.PROBLEM);
        assertThat(told.title())
                .startsWith("commits hang: they wait for a synchronous standby (nobody), and 0 of 1 are streaming;"
                        + " 1 session waits, the longest for ");
        synchronousWith("");
        commit.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void withoutAnyReceiverAnOrdinaryRoleKnowsThatCommitsHang() throws Exception {
        standby.stop();
        try {
            Await.until(
                    "it is gone",
                    PATIENCE,
                    () -> primary.queryForLong("select count(*) from pg_stat_replication") == 0);
            assertThat(replication(primary.dataSource())).isEmpty();
            synchronousWith("second");
            assertThat(Told.the("commits hang", replication(primary.dataSourceAs("ordinary", "")))
                            .severity())
                    .isEqualTo(Severity.PROBLEM);
        } finally {
            synchronousWith("");
            standby.startAgain();
            awaitReplication("async");
        }
    }

    @Test
    void theNumberOfStandbysThatACommitNeedsIsRead() {
        assertThat(ReplicationCheck.needed("first, second")).isEqualTo(1);
        assertThat(ReplicationCheck.needed("FIRST 2 (first, second, third)")).isEqualTo(2);
        assertThat(ReplicationCheck.needed(" any 3 (*)")).isEqualTo(3);
        assertThat(ReplicationCheck.needed("2(first, second)")).isEqualTo(2);
    }

    @Test
    void aStandbyThatIsTooSlowIsToldByTheCommitsThatWait() {
        var there = List.of(new ReplicationCheck.Standby("a", "10.0.0.1", "streaming", "sync", Optional.empty()));
        var waits = new ReplicationCheck.Waits(3, Duration.ofSeconds(12));
        assertThat(Told.the("commits hang", ReplicationCheck.judge("a", there, waits))
                        .title())
                .endsWith("(a), and 1 of 1 is streaming; 3 sessions wait, the longest for 12 s");
        var brief = new ReplicationCheck.Waits(3, Duration.ofMillis(12));
        assertThat(ReplicationCheck.judge("a", there, brief))
                .extracting(Finding::severity)
                .containsExactly(Severity.INFORMATION);
    }
}
