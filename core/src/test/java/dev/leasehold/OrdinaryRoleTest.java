package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A role that owns nothing, in a schema that only its search_path names. */
class OrdinaryRoleTest {

    private static final Duration TTL = Duration.ofSeconds(30);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final String role = "role_of_" + database.name();
    private final DataSource own = database.dataSourceAs(role, "");

    @BeforeEach
    void createTableAndRole() throws SQLException {
        database.execute("create schema jobs");
        Leases.on(database.dataSource()).table("jobs.leases").build().close();
        database.execute("create role " + role + " login");
        database.execute("alter role " + role + " set search_path = jobs");
        database.execute("grant usage on schema jobs to " + role);
        database.execute("grant select, insert, update on jobs.leases to " + role);
    }

    @AfterEach
    void dropRole() throws SQLException {
        database.execute("drop owned by " + role);
        database.execute("drop role " + role);
    }

    private void acquireRefuseRenewAndRelease(SchemaMode schema) throws Exception {
        try (var leases = Leases.on(own)
                        .ttl(TTL)
                        .renewEvery(Duration.ofMillis(500))
                        .schema(schema)
                        .build();
                var contender = Leases.on(own).ttl(TTL).schema(schema).build()) {
            var lease = leases.tryAcquire("kept").lease().orElseThrow();
            assertThat(contender.tryAcquire("kept").lease()).isEmpty();
            var expiry = leases.rows().get(0).expiresAt();
            Await.until(
                    "renewed", TTL, () -> contender.rows().get(0).expiresAt().isAfter(expiry));
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
            var slot = contender
                    .tryAcquireSlot("kept", Grid.every(Duration.ofHours(1)))
                    .lease()
                    .orElseThrow();
            assertThat(slot.releaseDone()).isEqualTo(ReleaseOutcome.RELEASED);
        }
        assertThat(database.queryForLong("select count(*) from jobs.leases where done_slot is not null"))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void readingWritingAndUsageOfTheSchemaAreEnoughInEverySchemaMode(SchemaMode schema) throws Exception {
        acquireRefuseRenewAndRelease(schema);
    }

    @ParameterizedTest
    @ValueSource(strings = {"serializable", "repeatable read"})
    void theRolesIsolationDisturbsNothing(String isolation) throws Exception {
        database.execute("alter role " + role + " set default_transaction_isolation = '" + isolation + "'");
        acquireRefuseRenewAndRelease(SchemaMode.CREATE);
    }

    @Test
    void aColumnOfALaterVersionDisturbsNothing() throws Exception {
        try (var older = Leases.on(own).ttl(TTL).build()) {
            var lease = older.tryAcquire("across").lease().orElseThrow();
            database.execute("alter table jobs.leases add column note text not null default 'later'");
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(older.tryAcquire("across").lease()).isPresent();
            database.execute("delete from jobs.leases");
            acquireRefuseRenewAndRelease(SchemaMode.VALIDATE);
        }
        assertThat(database.queryForString("select distinct note from jobs.leases"))
                .isEqualTo("later");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"usage on schema jobs", "select on jobs.leases", "insert on jobs.leases", "update on jobs.leases"
            })
    void withoutAnyOneOfTheGrantsNothingIsAcquiredAndTheErrorIsTheServers(String grant) throws SQLException {
        database.execute("revoke " + grant + " from " + role);
        try (var leases = Leases.on(own).schema(SchemaMode.NONE).build()) {
            assertThatExceptionOfType(LeaseException.class)
                    .isThrownBy(() -> leases.tryAcquire("sweep"))
                    .withMessageContaining(
                            grant.startsWith("usage")
                                    ? "is the lease table created"
                                    : "select, insert and update on the lease table");
        }
        assertThat(database.queryForLong("select count(*) from jobs.leases")).isZero();
    }

    @Test
    void aRoleThatMayNotCreateTheTableIsToldByTheBuild() throws SQLException {
        database.execute("drop table jobs.leases");
        assertThatExceptionOfType(LeaseException.class)
                .isThrownBy(() -> Leases.on(own).build())
                .withMessageContaining("permission denied for schema jobs");
        assertThatExceptionOfType(LeaseException.class)
                .isThrownBy(() -> Leases.on(own).schema(SchemaMode.VALIDATE).build())
                .withMessageContaining("create table");
    }

    private static void write(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("insert into effects values ('written')");
        }
    }

    private void createEffects(String some) throws SQLException {
        database.execute("create table jobs.effects (what text)");
        database.execute("grant insert on jobs.effects to " + some);
    }

    private long effects() throws SQLException {
        return database.queryForLong("select count(*) from jobs.effects");
    }

    @Test
    void fencesAndAFinishNeedNoOtherGrants() throws Exception {
        createEffects(role);
        try (var leases = Leases.on(own).ttl(TTL).build();
                var connection = own.getConnection()) {
            var plain = leases.tryAcquire("plain").lease().orElseThrow();
            plain.runFenced(OrdinaryRoleTest::write);
            connection.setAutoCommit(false);
            write(connection);
            plain.fence(connection);
            connection.commit();
            var counted = leases.tryAcquireSlot("counted", Grid.every(Duration.ofDays(100)))
                    .lease()
                    .orElseThrow();
            counted.runFenced(fenced -> {
                write(fenced);
                counted.finish(fenced);
            });
            assertThat(counted.release()).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(counted.isCounted()).isTrue();
            assertThat(plain.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
        assertThat(effects()).isEqualTo(3);
    }

    /** A lock for share is more than reading. */
    @Test
    void theRoleOfAnotherPoolNeedsUpdateBesideSelectForItsFencedTransactions() throws Exception {
        String other = "other_" + role;
        database.execute("create role " + other + " login");
        try (var leases = Leases.on(own).ttl(TTL).build()) {
            database.execute("alter role " + other + " set search_path = jobs");
            database.execute("grant usage on schema jobs to " + other);
            database.execute("grant select on jobs.leases to " + other);
            createEffects(other);
            var others = database.dataSourceAs(other, "");
            var lease = leases.tryAcquire("sweep").lease().orElseThrow();
            assertThatExceptionOfType(LeaseException.class)
                    .isThrownBy(() -> lease.runFenced(others, OrdinaryRoleTest::write))
                    .withMessageContaining("permission denied")
                    .withMessageContaining("update on the lease table")
                    .satisfies(e -> assertThat(e).isNotInstanceOf(LeaseLostException.class));
            assertThat(effects()).isZero();
            database.execute("grant update on jobs.leases to " + other);
            lease.runFenced(others, OrdinaryRoleTest::write);
            assertThat(effects()).isEqualTo(1);
        } finally {
            database.execute("drop owned by " + other);
            database.execute("drop role " + other);
        }
    }

    @Test
    void onlyTheCleanUpNeedsDelete() throws Exception {
        try (var leases = Leases.on(own).ttl(TTL).build()) {
            assertThat(leases.tryAcquire("once").lease().orElseThrow().release())
                    .isEqualTo(ReleaseOutcome.RELEASED);
            database.execute("update jobs.leases set taken_at = '2020-01-01', fence = 1");
            assertThatExceptionOfType(LeaseException.class)
                    .isThrownBy(() -> leases.cleanUp(Duration.ofHours(1)))
                    .withMessageContaining("permission denied");
            assertThat(leases.rows()).hasSize(1);
            database.execute("grant delete on jobs.leases to " + role);
            assertThat(leases.cleanUp(Duration.ofHours(1))).isEqualTo(1);
            assertThat(leases.rows()).isEmpty();
        }
    }

    private RunHistory grantedHistory(Leases some) throws SQLException {
        try (var owners = Leases.on(database.dataSource()).table("jobs.leases").build()) {
            owners.runHistory().build();
        }
        database.execute("grant select, insert, update on jobs.round_runs to " + role);
        return some.runHistory().build();
    }

    private static void write(RunHistory history, Lease lease) {
        history.began(lease, "kept", "node-a");
        history.died("kept", lease.name(), new DeadHolder(lease.holder(), lease.fence(), Instant.EPOCH), false);
        history.ended(new RunEnd(
                lease.name(),
                lease.fence(),
                "kept",
                "node-a",
                Optional.empty(),
                false,
                lease.holder(),
                TTL,
                "LOST",
                false,
                Optional.empty()));
    }

    @ParameterizedTest
    @EnumSource
    void theRunHistoryNeedsNoMoreThanTheLeasesAndDeleteOnlyForTheCleanUp(SchemaMode schema) throws Exception {
        try (var leases = Leases.on(own).ttl(TTL).schema(schema).build()) {
            var history = grantedHistory(leases);
            write(history, leases.tryAcquire("kept").lease().orElseThrow());
            assertThat(history.runs("kept", 10))
                    .singleElement()
                    .satisfies(row -> assertThat(row.outcome()).contains("LOST"));
            database.execute("update jobs.round_runs set started_at = 'epoch', ended_at = 'epoch'");
            assertThatExceptionOfType(LeaseException.class)
                    .isThrownBy(() -> history.cleanUp(TTL.multipliedBy(60)))
                    .withMessageContaining("permission denied");
            database.execute("grant delete on jobs.round_runs to " + role);
            assertThat(history.cleanUp(TTL.multipliedBy(60))).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"select", "insert", "update"})
    void withoutAnyOneOfItsGrantsTheHistoryIsNotWrittenAndNobodyFailsForIt(String grant) throws Exception {
        try (var leases = Leases.on(own).ttl(TTL).build()) {
            var history = grantedHistory(leases);
            database.execute("revoke " + grant + " on jobs.round_runs from " + role);
            var lease = leases.tryAcquire("kept").lease().orElseThrow();
            write(history, lease);
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(database.queryForLong("select count(*) from jobs.round_runs"))
                    .isZero();
            database.execute("grant " + grant + " on jobs.round_runs to " + role);
            Await.until(
                    "written later",
                    Duration.ofSeconds(30),
                    () -> database.queryForLong("select count(*) from jobs.round_runs where outcome = 'LOST'") == 1);
        }
    }
}
