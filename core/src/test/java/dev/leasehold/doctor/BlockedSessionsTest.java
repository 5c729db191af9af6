package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Await;
import dev.leasehold.testkit.PostgresVersion;
import dev.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who waits for whom is told as a tree, on real servers. */
@ResourceLock(DoctorServer.LOCK)
class BlockedSessionsTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    private static Finding blocked(Doctor doctor, int waits) throws Exception {
        Await.until(waits + " long waits", LIMIT, () -> {
            List<Finding> found = Found.of(FindingKind.BLOCKED_SESSIONS, doctor.look());
            return !found.isEmpty() && found.get(0).title().startsWith(waits + " session");
        });
        return Found.of(FindingKind.BLOCKED_SESSIONS, doctor.look()).get(0);
    }

    /** Who comes next waits behind it. */
    private static void waits(TestDatabase database, int pid) throws Exception {
        Await.until(
                pid + " waits",
                LIMIT,
                () -> database.queryForLong("select count(*) from pg_locks where not granted and pid = " + pid) > 0);
    }

    private static List<String> tree(Finding finding) {
        List<String> sessions = Found.column("session", finding);
        List<String> pids = Found.column("pid", finding);
        return IntStream.range(0, sessions.size())
                .mapToObj(i -> sessions.get(i) + " " + pids.get(i))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void eachSessionStandsBelowTheOneItWaitsFor(PostgresVersion version) throws Exception {
        TestDatabase database = DoctorServer.freshDatabase(version);
        database.execute("create table stock (id int primary key, amount int)");
        database.execute("insert into stock values (1, 1), (2, 2)");
        try (var orders = new OpenSessions(database, "orders")) {
            int root = orders.run("begin", "update stock set amount = 0 where id = 1");
            int middle = orders.run("begin", "select pg_advisory_xact_lock(hashtext('sweep'))");
            orders.goOn("update stock set amount = 1 where id = 1");
            waits(database, middle);
            int leaf = orders.run();
            orders.goOn("select pg_advisory_lock(hashtext('sweep'))");
            waits(database, leaf);
            int branch = orders.run();
            orders.goOn("truncate stock");
            Finding finding = blocked(Doctor.on(database.dataSource()).withNames(List.of("sweep")), 3);

            assertThat(finding.severity()).isEqualTo(Severity.RISK);
            assertThat(finding.title())
                    .matches("3 sessions wait for locks, the longest for [\\d.]+ s: session " + root
                            + " \\(idle in transaction for [\\d.]+ m?s\\) is in the way");
            List<String> sessions = tree(finding);
            assertThat(sessions.get(0)).isEqualTo("in the way " + root);
            assertThat(sessions)
                    .containsSubsequence("in the way " + root, "  waits " + middle, "    waits " + leaf)
                    .contains("  waits " + branch);
            assertThat(Found.column("waits_for", finding))
                    .contains("a row, or the end of a transaction", "table stock, AccessExclusiveLock")
                    .anyMatch(what -> what.startsWith("advisory lock hashtext('sweep') = "));
            assertThat(Found.column("query", finding)).contains("update stock set amount = 1 where id = 1");
            assertThat(Found.column("application", finding)).containsOnly("orders");
            assertThat(finding.remedy().sql()).containsExactly("select pg_terminate_backend(" + root + ");");
        }
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void passwordsInQueriesOfOthersAreNotShown(PostgresVersion version) throws Exception {
        TestDatabase database = DoctorServer.freshDatabase(version);
        try (var orders = new OpenSessions(database, "orders");
                var holder = database.connect();
                var statement = holder.createStatement()) {
            statement.execute("begin");
            statement.execute("select pg_advisory_xact_lock(1)");
            statement.execute("alter role ordinary password $$s3cret$$");
            orders.run();
            orders.goOn("select pg_advisory_lock(1), 'host=h password=s3cret'");
            Doctor doctor = Doctor.on(database.dataSource()).withLongTransaction(Duration.ofMillis(100));
            assertThat(Found.column("query", blocked(doctor, 1)))
                    .containsExactly(
                            "alter role ordinary password ***", "select pg_advisory_lock(1), 'host=h password ***");
            List<Finding> all = doctor.look().findings();
            assertThat(all).extracting(Finding::kind).contains(FindingKind.LONG_TRANSACTIONS);
            assertThat(Told.text(all)).contains("password ***").doesNotContain("s3cret");
        }
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void aQueueStandsSideBySideBelowTheHolder(PostgresVersion version) throws Exception {
        TestDatabase database = DoctorServer.freshDatabase(version);
        try (var orders = new OpenSessions(database, "orders")) {
            int holder = orders.run("select pg_advisory_lock(1)");
            int second = orders.run();
            orders.goOn("select pg_advisory_lock(1)");
            waits(database, second);
            int third = orders.run();
            orders.goOn("select pg_advisory_lock(1)");
            Finding finding = blocked(Doctor.on(database.dataSource()), 2);
            assertThat(tree(finding))
                    .containsExactlyInAnyOrder("in the way " + holder, "  waits " + second, "  waits " + third);
        }
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void aPreparedTransactionIsNamedAsTheCause(PostgresVersion version) throws Exception {
        TestDatabase database = DoctorServer.freshDatabase(version);
        database.execute("create table stock (id int primary key)");
        try (var orders = new OpenSessions(database, "orders")) {
            orders.run("begin", "insert into stock values (1)", "prepare transaction 'half done'");
            int waiting = orders.run();
            orders.goOn("truncate stock");
            Finding finding = blocked(Doctor.on(database.dataSource()), 1);
            assertThat(finding.title()).endsWith(": prepared transaction half done is in the way");
            assertThat(tree(finding)).containsExactly("prepared transaction half done ", "  waits " + waiting);
            assertThat(finding.remedy().sql())
                    .containsExactly("commit prepared 'half done';", "rollback prepared 'half done';");
            database.execute(finding.remedy().sql().get(1));
        } finally {
            LongTransactionsTest.endPrepared(database);
        }
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void waitsOfHiddenSessionsAreTold(PostgresVersion version) throws Exception {
        TestDatabase database = DoctorServer.freshDatabase(version);
        try (var orders = new OpenSessions(database, "orders")) {
            int holder = orders.run("select pg_advisory_lock(1)");
            int waiting = orders.run();
            orders.goOn("select pg_advisory_lock(1)");
            Finding finding = blocked(Doctor.on(database.dataSourceAs("ordinary", "")), 1);
            assertThat(tree(finding)).containsExactly("in the way " + holder, "  waits " + waiting);
            assertThat(Found.column("state", finding)).containsOnly("hidden");
            assertThat(Found.column("query", finding)).containsOnly("");
            assertThat(finding.remedy().now())
                    .startsWith("Whether session " + holder + " works or waits for its application is hidden");
        }
    }
}
