package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.leasehold.Await;
import dev.leasehold.testkit.PostgresVersion;
import dev.leasehold.testkit.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Transactions that are open for long, and what holds back the horizon, on real servers. */
@ResourceLock(DoctorServer.LOCK)
class LongTransactionsTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    static Finding awaited(FindingKind kind, Doctor doctor) throws Exception {
        Await.until(kind.code(), LIMIT, () -> !Found.of(kind, doctor.look()).isEmpty());
        return Found.of(kind, doctor.look()).get(0);
    }

    /** What a test that failed has left. */
    static void endPrepared(TestDatabase database) throws Exception {
        if (database.queryForLong("select count(*) from pg_prepared_xacts") > 0) {
            database.execute(
                    "rollback prepared '" + database.queryForString("select gid from pg_prepared_xacts") + "'");
        }
    }

    private static void spendTransactions(TestDatabase database, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            database.execute("select txid_current()");
        }
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void anIdleTransactionIsToldFromATenthOfTheAge(PostgresVersion version) throws Exception {
        TestDatabase database = DoctorServer.freshDatabase(version);
        try (var orders = new OpenSessions(database, "orders")) {
            int idle = orders.run("begin", "select 1");
            Doctor patient = Doctor.on(database.dataSource()).withLongTransaction(Duration.ofMinutes(10));
            assertThat(Found.of(FindingKind.LONG_TRANSACTIONS, patient.look())).isEmpty();
            Finding finding = awaited(
                    FindingKind.LONG_TRANSACTIONS,
                    Doctor.on(database.dataSource()).withLongTransaction(Duration.ofSeconds(3)));
            assertThat(finding.severity()).isEqualTo(Severity.RISK);
            assertThat(finding.title()).matches("1 transaction is open for [\\d.]+ m?s; 1 of 1 is idle");
            assertThat(Found.column("pid", finding)).containsExactly("" + idle);
            assertThat(Found.column("state", finding)).containsExactly("idle in transaction");
            assertThat(Found.column("for", finding).get(0)).matches("[\\d.]+ m?s");
            assertThat(Found.column("query", finding)).containsExactly("select pg_backend_pid()");
            assertThat(finding.remedy().sql()).containsExactly("select pg_terminate_backend(" + idle + ");");
        }
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void aLongStatementIsToldFromThatAge(PostgresVersion version) throws Exception {
        TestDatabase database = DoctorServer.freshDatabase(version);
        try (var reports = new OpenSessions(database, "reports")) {
            int pid = reports.run();
            reports.goOn("select pg_sleep(60) -- \u001b[31m" + "red".repeat(100));
            Finding finding = awaited(
                    FindingKind.LONG_TRANSACTIONS,
                    Doctor.on(database.dataSource()).withLongTransaction(Duration.ofMillis(100)));
            assertThat(Found.column("pid", finding)).containsExactly("" + pid);
            assertThat(finding.remedy().sql()).containsExactly("select pg_cancel_backend(" + pid + ");");
            assertThat(Found.column("query", finding).get(0))
                    .startsWith("select pg_sleep(60) -- [31mred")
                    .endsWith("…")
                    .hasSize(80);
        }
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void anOldSnapshotHoldsBackTheHorizon(PostgresVersion version) throws Exception {
        TestDatabase database = DoctorServer.freshDatabase(version);
        try (var reports = new OpenSessions(database, "reports")) {
            int pid = reports.run("begin isolation level repeatable read", "select 1");
            spendTransactions(database, 5);
            Doctor doctor = Doctor.on(database.dataSource()).withLongTransaction(Duration.ofMillis(100));
            Finding finding = awaited(FindingKind.HELD_BACK_HORIZON, doctor);
            assertThat(finding.severity()).isEqualTo(Severity.RISK);
            assertThat(finding.title())
                    .startsWith("session " + pid + " (reports, idle in transaction for ")
                    .contains("holds back the horizon by ");
            assertThat(Integer.parseInt(Found.column("behind", finding).get(0))).isBetween(5, 50);
            Finding transaction = awaited(FindingKind.LONG_TRANSACTIONS, doctor);
            assertThat(transaction.meaning()).contains("they hold back the horizon by ");
        }
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void aPreparedTransactionHoldsBackTheHorizon(PostgresVersion version) throws Exception {
        TestDatabase database = DoctorServer.freshDatabase(version);
        database.execute("create table stock (id int)");
        try (var orders = new OpenSessions(database, "orders")) {
            orders.run("begin", "insert into stock values (1)", "prepare transaction 'half\u0007done'");
            spendTransactions(database, 3);
            Finding finding = awaited(
                    FindingKind.HELD_BACK_HORIZON,
                    Doctor.on(database.dataSource()).withLongTransaction(Duration.ofMillis(100)));
            assertThat(finding.title()).startsWith("prepared transaction half done holds back the horizon by ");
            assertThat(Found.column("database", finding)).containsExactly(database.name());
            database.execute(finding.remedy().sql().get(1));
            assertThat(database.queryForLong("select count(*) from pg_prepared_xacts"))
                    .isZero();
        } finally {
            endPrepared(database);
        }
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void aReplicationSlotIsAmongWhatHoldsBack(PostgresVersion version) throws Exception {
        TestDatabase database = DoctorServer.freshDatabase(version);
        database.execute("select pg_create_logical_replication_slot('feed', 'pgoutput')");
        try (Connection connection = database.connect()) {
            var from = new Look.From(database.dataSource(), Questions.DEFAULTS, Duration.ofSeconds(15));
            List<HorizonHolder> holders = Look.through(connection, from, InstantSource.system(), HorizonHolder::all);
            assertThat(holders)
                    .extracting(HorizonHolder::words, HorizonHolder::database)
                    .containsExactly(tuple("replication slot feed (inactive)", database.name()));
            assertThat(HeldBackHorizon.judge(holders, Duration.ofMillis(1))).isEmpty();
            database.execute(holders.get(0).end().sql().get(0));
            assertThat(database.queryForLong("select count(*) from pg_replication_slots"))
                    .isZero();
        } finally {
            database.execute("select pg_drop_replication_slot(slot_name) from pg_replication_slots");
        }
    }
}
