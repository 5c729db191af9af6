package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.Grid;
import dev.leasehold.Leases;
import dev.leasehold.testkit.PostgresVersion;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestServer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server of its own, on which nobody else does anything: its defaults, and healthy leases, are no risk. */
class HealthyServersTest {

    private static final Map<PostgresVersion, TestServer> SERVERS = new ConcurrentHashMap<>();

    /** As Linux has them by default; this machine may have others. */
    private static final Map<String, String> KEEPALIVES =
            Map.of("tcp_keepalives_idle", "7200", "tcp_keepalives_interval", "75", "tcp_keepalives_count", "9");

    private static TestDatabase freshDatabase(PostgresVersion version) {
        return SERVERS.computeIfAbsent(version, one -> TestServer.start(one, KEEPALIVES))
                .freshDatabase();
    }

    @AfterAll
    static void stop() {
        SERVERS.values().forEach(TestServer::close);
    }

    private static Diagnosis well(DataSource dataSource) {
        Diagnosis diagnosis = Doctor.on(dataSource).look();
        assertThat(diagnosis.isWell()).as(Told.text(diagnosis.findings())).isTrue();
        return diagnosis;
    }

    @ParameterizedTest
    @EnumSource
    void aNewDatabaseIsWellAndNothingIsSaidOfLeases(PostgresVersion version) {
        Diagnosis diagnosis = well(freshDatabase(version).dataSource());
        assertThat(Told.text(diagnosis.findings())).doesNotContainIgnoringCase("lease");
        assertThat(diagnosis.findings())
                .as(Told.text(diagnosis.findings()))
                .filteredOn(finding -> finding.kind().compareTo(FindingKind.READ_ONLY) >= 0)
                .filteredOn(finding -> finding.kind() != FindingKind.HIDDEN)
                .singleElement()
                .satisfies(finding -> assertThat(finding.title())
                        .isEqualTo("the session of a client that vanishes lives on for 2 h 11 min"));
    }

    @ParameterizedTest
    @EnumSource
    void healthyLeasesAreWell(PostgresVersion version) throws Exception {
        TestDatabase database = freshDatabase(version);
        try (var leases = Leases.on(database.dataSource()).build()) {
            leases.tryAcquire("released").lease().orElseThrow().release();
            leases.tryAcquireSlot("round", Grid.every(Duration.ofHours(1)))
                    .lease()
                    .orElseThrow()
                    .releaseDone();
            var held = leases.tryAcquire("held").lease().orElseThrow();

            Diagnosis diagnosis = well(database.dataSource());
            Finding told = Told.the(FindingKind.LEASES, "held", diagnosis);
            assertThat(told.title()).isEqualTo("1 lease is held, 2 released, 0 resting, 0 expired");
            assertThat(told.evidence().columns())
                    .extracting(Column::key)
                    .containsExactly("name", "holder", "held_seconds", "left_seconds", "fence");
            assertThat(Found.rows(told)).singleElement().satisfies(row -> {
                assertThat(row).startsWith("held", held.holder()).endsWith(String.valueOf(held.fence()));
                assertThat(row.get(3)).startsWith("1 min ");
            });
            assertThat(Told.of(diagnosis, FindingKind.LEASE_TABLE)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aPoolGetsItsConnectionsBackAsTheyWereHoweverOftenItIsLookedAt(PostgresVersion version) throws Exception {
        var config = new HikariConfig();
        TestDatabase database = freshDatabase(version);
        config.setDataSource(database.dataSourceAs(database.user(), "&readOnlyMode=always"));
        config.setAutoCommit(false);
        config.setMaximumPoolSize(1);
        try (var pool = new HikariDataSource(config)) {
            Doctor doctor = Doctor.on(pool);
            for (int i = 0; i < 12; i++) {
                assertThat(doctor.look().isWell()).isTrue();
            }
            try (var connection = pool.getConnection();
                    var statement = connection.createStatement()) {
                assertThat(connection.getAutoCommit()).isFalse();
                assertThat(connection.isReadOnly()).isFalse();
                try (var row = statement.executeQuery("""
                        select current_setting('statement_timeout') || ' ' || current_setting('lock_timeout') as bounds,
                               current_setting('default_transaction_read_only') as is_read_only,
                               (select string_agg(p.statement, ';') from pg_prepared_statements p) as prepared
                        """)) {
                    row.next();
                    assertThat(row.getString("bounds")).isEqualTo("0 0");
                    assertThat(row.getString("is_read_only")).isEqualTo("off");
                    assertThat(row.getString("prepared")).isNull();
                }
            }
        }
    }
}
