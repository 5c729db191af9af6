package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.InstanceOfAssertFactories.DURATION;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;
import static org.assertj.core.api.InstanceOfAssertFactories.LONG;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.Await;
import dev.leasehold.Leases;
import dev.leasehold.testkit.PostgresVersion;
import dev.leasehold.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Advisory locks on idle connections are told by client, with their names, on real servers and a real pool. */
@ResourceLock(DoctorServer.LOCK)
class LocksOnIdleConnectionsTest {

    private static final FindingKind LOCKS = FindingKind.LOCKS_ON_IDLE_CONNECTIONS;

    private static HikariDataSource poolOfFour(TestDatabase database) {
        var config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl() + "&ApplicationName=orders");
        config.setMaximumPoolSize(4);
        config.setConnectionTimeout(3_000);
        return new HikariDataSource(config);
    }

    private static Connection locked(HikariDataSource pool, String lock) throws SQLException {
        Connection connection = pool.getConnection();
        try (var statement = connection.createStatement()) {
            statement.execute("select " + lock);
        }
        return connection;
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void aPoolOfFourWithFourLocksIsTheFirstThingTold(PostgresVersion version) throws Exception {
        TestDatabase database = DoctorServer.freshDatabase(version);
        try (Leases leases = Leases.on(database.dataSource()).build()) {
            assertThat(leases.tryRun("uptime", lease -> {})).isTrue();
        }
        var held = new ArrayList<Connection>();
        try (HikariDataSource pool = poolOfFour(database)) {
            held.add(locked(pool, "pg_advisory_lock(hashtext('sweep'))"));
            held.add(locked(pool, "pg_advisory_lock(hashtextextended('alerts', 0))"));
            held.add(locked(pool, "pg_advisory_lock(7, hashtext('mail'))"));
            held.add(locked(
                    pool, "pg_advisory_lock(hashtext('uptime')), pg_advisory_lock(hashtextextended('uptime', 0))"));
            assertThatThrownBy(pool::getConnection).isInstanceOf(SQLTransientConnectionException.class);

            Diagnosis diagnosis = Doctor.on(database.dataSource())
                    .withNames(List.of("sweep", "alerts", "mail"))
                    .look();

            Finding first = diagnosis.findings().get(0);
            assertThat(first.kind()).isEqualTo(LOCKS);
            assertThat(first.severity()).isEqualTo(Severity.PROBLEM);
            assertThat(first.title())
                    .isEqualTo("4 of 4 connections of this client hold advisory locks: its pool is used up by locks"
                            + " (orders, 127.0.0.1, user postgres, database " + database.name() + ")");
            assertThat(first.evidence().columns())
                    .extracting(Column::key)
                    .containsExactly(
                            "pid",
                            "client",
                            "application",
                            "user",
                            "database",
                            "port",
                            "connected_seconds",
                            "state",
                            "for_seconds",
                            "locks");
            assertThat(Found.column("client", first)).containsOnly("127.0.0.1");
            assertThat(Found.column("application", first)).containsOnly("orders");
            assertThat(Found.column("user", first)).containsOnly("postgres");
            assertThat(Found.column("database", first)).containsOnly(database.name());
            assertThat(Found.column("state", first)).containsOnly("idle");
            assertThat(first.evidence().rows()).allSatisfy(row -> {
                assertThat(row.get(5)).asInstanceOf(LONG).isBetween(1L, 65_535L);
                assertThat(row.get(6)).asInstanceOf(DURATION).isLessThan(Duration.ofMinutes(5));
                assertThat(row.get(8)).asInstanceOf(DURATION).isLessThan(Duration.ofMinutes(5));
                assertThat(row.get(9)).asInstanceOf(LIST).hasSizeBetween(1, 2);
            });
            assertThat(first.meaning()).doesNotContain("Give the names").doesNotContain("match none");
            assertThat(Found.column("locks", first)).anyMatch(lock -> lock.startsWith("hashtext('sweep') = "));
            assertThat(Found.column("locks", first))
                    .anyMatch(lock -> lock.startsWith("hashtextextended('alerts', 0) = "));
            assertThat(Found.column("locks", first)).anyMatch(lock -> lock.startsWith("(7, hashtext('mail')) = (7, "));
            assertThat(Found.column("locks", first))
                    .anyMatch(lock -> lock.contains("hashtext('uptime') = ")
                            && lock.contains("hashtextextended('uptime', 0) = "));
            database.execute(first.remedy().sql().get(0));
            Await.until(
                    "the sessions ended",
                    Duration.ofSeconds(30),
                    () -> Found.of(LOCKS, Doctor.on(database.dataSource()).look())
                            .isEmpty());
        } finally {
            for (Connection connection : held) {
                connection.close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void someOfAClientsConnectionsAreARisk(PostgresVersion version) throws Exception {
        TestDatabase database = DoctorServer.freshDatabase(version);
        try (var orders = new OpenSessions(database, "orders")) {
            int first = orders.run("select pg_advisory_lock(1)", "select pg_advisory_lock_shared(-2)");
            int second = orders.run("select pg_advisory_lock(3, -4)");
            int third = orders.run("select pg_advisory_lock(g) from generate_series(101, 105) g");
            orders.open(2);

            List<Finding> findings =
                    Found.of(LOCKS, Doctor.on(database.dataSource()).look());

            assertThat(findings).hasSize(1);
            Finding finding = findings.get(0);
            assertThat(finding.severity()).isEqualTo(Severity.RISK);
            assertThat(finding.title())
                    .startsWith(
                            "3 of 5 connections of this client are idle and hold advisory locks (orders, 127.0.0.1");
            assertThat(Found.column("pid", finding))
                    .hasSize(5)
                    .startsWith(Stream.of(first, second, third)
                            .sorted()
                            .map(String::valueOf)
                            .toArray(String[]::new));
            assertThat(Found.column("locks", finding))
                    .containsExactlyInAnyOrder(
                            "bigint 1; bigint -2, shared",
                            "(3, -4)",
                            "bigint 101; bigint 102; bigint 103; and 2 more",
                            "",
                            "");
        }
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void keysOfMigrationsAreRecognised(PostgresVersion version) throws Exception {
        TestDatabase database = DoctorServer.freshDatabase(version);
        try (var migration = new OpenSessions(database, "migration")) {
            migration.run("select pg_advisory_lock(77433833903597)");
            migration.run("select pg_advisory_lock(77431708279161 + 5)");
            migration.run("select pg_advisory_lock(72707369)");
            Finding finding =
                    Found.of(LOCKS, Doctor.on(database.dataSource()).look()).get(0);
            assertThat(Found.column("locks", finding))
                    .containsExactlyInAnyOrder(
                            "Flyway, table flyway_schema_history of schema public = bigint 77433833903597",
                            "Flyway, another table = bigint 77431708279166",
                            "Prisma Migrate = bigint 72707369");
        }
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void anIdleTransactionsLockMayBeOfTheTransaction(PostgresVersion version) throws Exception {
        TestDatabase database = DoctorServer.freshDatabase(version);
        try (var orders = new OpenSessions(database, "orders")) {
            orders.run("begin", "select pg_advisory_xact_lock(hashtext('sweep'))");
            Doctor doctor = Doctor.on(database.dataSource()).withNames(List.of("sweep"));
            Await.until(
                    "idle for a second",
                    Duration.ofSeconds(30),
                    () -> !Found.of(LOCKS, doctor.look()).isEmpty());
            Finding finding = Found.of(LOCKS, doctor.look()).get(0);
            assertThat(finding.severity()).isEqualTo(Severity.RISK);
            assertThat(finding.title()).startsWith("1 of 1 connection of this client is idle and holds advisory locks");
            assertThat(finding.meaning()).contains("may end with that");
            assertThat(Found.column("state", finding)).containsExactly("idle in transaction");
            assertThat(vanishing(database.dataSource())).endsWith(", and 1 idle session holds advisory locks");
            for (int i = 0; i < 3; i++) {
                orders.run("begin", "select pg_advisory_lock(" + i + ")"); // as a pool without autocommit does
            }
            Await.until(
                    "all of them idle for a second",
                    Duration.ofSeconds(30),
                    () -> Found.of(LOCKS, doctor.look())
                            .get(0)
                            .title()
                            .startsWith("4 of 4 connections of this client hold advisory locks"));
            assertThat(Found.of(LOCKS, doctor.look()).get(0).severity()).isEqualTo(Severity.PROBLEM);
            assertThat(vanishing(database.dataSource())).endsWith(", and 4 idle sessions hold advisory locks");
        }
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void keysOfAnotherDatabaseAreNotDecoded(PostgresVersion version) throws Exception {
        TestDatabase here = DoctorServer.freshDatabase(version);
        TestDatabase there = DoctorServer.freshDatabase(version);
        try (var orders = new OpenSessions(there, "orders")) {
            orders.run("select pg_advisory_lock(hashtext('sweep'))");
            Finding finding = Found.of(
                            LOCKS,
                            Doctor.on(here.dataSource())
                                    .withNames(List.of("sweep"))
                                    .look())
                    .get(0);
            assertThat(finding.title()).endsWith("database " + there.name() + ")");
            assertThat(Found.column("locks", finding))
                    .containsExactly("bigint " + there.queryForString("select hashtext('sweep')"));
        }
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void ofHiddenSessionsItIsKnownWhetherTheyAreIdle(PostgresVersion version) throws Exception {
        TestDatabase database = DoctorServer.freshDatabase(version);
        try (var orders = new OpenSessions(database, "orders");
                var busy = new OpenSessions(database, "busy")) {
            orders.run("select pg_advisory_lock(1)");
            orders.run("select pg_advisory_lock(2)");
            busy.run("begin", "select pg_advisory_xact_lock(3)");
            List<Finding> findings = Found.of(
                    LOCKS, Doctor.on(database.dataSourceAs("ordinary", "")).look());
            assertThat(findings)
                    .extracting(Finding::severity, Finding::title)
                    .containsExactly(
                            tuple(
                                    Severity.PROBLEM,
                                    "2 of 2 connections of this client hold advisory locks: its pool is used up by locks"
                                            + " (orders, hidden, user postgres, database " + database.name() + ")"),
                            tuple(
                                    Severity.INFORMATION,
                                    "1 session in a transaction holds advisory locks; whether they are idle is hidden from"
                                            + " role ordinary"));
            assertThat(Found.column("state", findings.get(0))).containsOnly("idle");
            assertThat(Found.column("for", findings.get(0))).containsOnly("");
            assertThat(Found.column("locks", findings.get(1))).containsExactly("bigint 3");
            assertThat(vanishing(database.dataSource())).isEqualTo(vanishing(database.dataSourceAs("ordinary", "")));
        }
    }

    /** What the server's keepalives mean for those sessions. */
    private static String vanishing(DataSource source) {
        Finding finding = Told.the(
                FindingKind.SETTINGS,
                "a client that vanishes",
                Doctor.on(source).look());
        return finding.severity() + finding.title();
    }
}
