package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.Await;
import dev.leasehold.Leases;
import dev.leasehold.testkit.ForwardingDataSource;
import dev.leasehold.testkit.OptionalTool;
import dev.leasehold.testkit.PgBouncer;
import dev.leasehold.testkit.PostgresVersion;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A pooler between, which has one connection to the server for all clients. */
class PoolersTest {

    private TestDatabase database = TestPostgres.freshDatabase();

    @BeforeEach
    void needsPgBouncer() {
        OptionalTool.PGBOUNCER.orSkip();
    }

    private static DataSource through(PgBouncer bouncer, String settings) {
        return TestDatabase.dataSource(bouncer.jdbcUrl(settings));
    }

    private static Finding mode(DataSource dataSource) {
        return Told.the(
                FindingKind.POOLER, "a pooler is between", Doctor.on(dataSource).look());
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void transactionPoolingIsToldByTheProcessesThatServeTwoConnections(PostgresVersion version) throws Exception {
        database = TestPostgres.freshDatabase(version);
        try (var bouncer = PgBouncer.before(database)) {
            Finding told = mode(through(bouncer, "prepareThreshold=0"));
            assertThat(told.title())
                    .isEqualTo("a pooler is between that gives each transaction another connection to the server");
            assertThat(told.severity()).isEqualTo(Severity.INFORMATION);
            assertThat(told.meaning()).contains("session-level advisory locks").contains("Leases and rounds work");
            assertThat(told.evidence().columns())
                    .extracting(Column::name)
                    .containsExactly("handshake", "served", "threshold");
            assertThat(Found.rows(told)).singleElement().satisfies(row -> {
                assertThat(row.get(0)).isNotEqualTo(row.get(1));
                assertThat(row.get(1)).as("one for all").matches("\\d+");
                assertThat(row.get(2)).isEqualTo("0");
            });
        }
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void aDriverThatPreparesStatementsIsARiskAndTheLookItselfBearsIt(PostgresVersion version) throws Exception {
        database = TestPostgres.freshDatabase(version);
        Leases.on(database.dataSource()).build().close();
        try (var bouncer = PgBouncer.before(database);
                var first = pool(bouncer);
                var second = pool(bouncer)) {
            for (int i = 0; i < 7; i++) {
                Finding told = mode(i % 2 == 0 ? first : second);
                assertThat(told.severity()).isEqualTo(Severity.RISK);
                assertThat(told.title()).endsWith("(prepareThreshold=5)");
                assertThat(told.remedy().now()).startsWith("Add prepareThreshold=0 to the JDBC URL");
            }
            try (var connection = through(bouncer, "prepareThreshold=0").getConnection();
                    var statement = connection.createStatement();
                    var row = statement.executeQuery("""
                            select (select string_agg(p.statement, ';') from pg_prepared_statements p) as prepared,
                                   current_setting('statement_timeout') || ' ' || current_setting('lock_timeout') as bounds
                            """)) {
                row.next();
                assertThat(row.getString("prepared")).isNull();
                assertThat(row.getString("bounds")).isEqualTo("0 0");
            }
        }
    }

    private static HikariDataSource pool(PgBouncer bouncer) {
        var config = new HikariConfig();
        config.setJdbcUrl(bouncer.jdbcUrl(""));
        config.setMaximumPoolSize(2);
        config.setMinimumIdle(0);
        return new HikariDataSource(config);
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void aLockThatStayedOnThePoolersConnectionIsAProblem(PostgresVersion version) throws Exception {
        database = TestPostgres.freshDatabase(version);
        try (var bouncer = PgBouncer.before(database)) {
            try (var connection = through(bouncer, "prepareThreshold=0").getConnection();
                    var statement = connection.createStatement()) {
                statement.execute("select pg_advisory_lock(7), pg_advisory_lock(8)");
            }
            Diagnosis diagnosis =
                    Doctor.on(through(bouncer, "prepareThreshold=0")).look();
            Finding told = Told.the(FindingKind.POOLER, "advisory lock", diagnosis);
            assertThat(told.title())
                    .isEqualTo("2 session-level advisory locks are held by 1 idle connection of the pooler");
            assertThat(told.severity()).isEqualTo(Severity.PROBLEM);
            assertThat(told.remedy().sql())
                    .containsExactly("select pg_terminate_backend("
                            + told.evidence().rows().get(0).get(0) + ");");

            database.execute(told.remedy().sql().get(0));
            Await.until("the pooler has opened another", Duration.ofSeconds(30), () -> isReachable(bouncer));
            assertThat(Told.of(Doctor.on(through(bouncer, "prepareThreshold=0")).look(), FindingKind.POOLER))
                    .hasSize(1);
        }
    }

    private static boolean isReachable(PgBouncer bouncer) {
        try (var connection = through(bouncer, "prepareThreshold=0").getConnection()) {
            return connection.isValid(5);
        } catch (SQLException e) {
            return false;
        }
    }

    @Test
    void aLockOfADirectClientOfTheSameAddressIsOnlyProbablyThePoolers() throws Exception {
        try (var bouncer = PgBouncer.before(database);
                var direct = database.connect();
                var statement = direct.createStatement()) {
            statement.execute("select pg_advisory_lock(7)");
            Finding told = Told.the(
                    FindingKind.POOLER,
                    "advisory lock",
                    Doctor.on(through(bouncer, "prepareThreshold=0")).look());
            assertThat(told.severity()).isEqualTo(Severity.RISK);
            assertThat(told.title())
                    .isEqualTo("1 session-level advisory lock is held by 1 idle connection, probably of the pooler");
        }
    }

    @ParameterizedTest
    @CsvSource({"OLDEST, true", "NEWEST, true", "NEWEST, false"})
    void withoutASecondConnectionTheModeIsUnknown(PostgresVersion version, boolean isRefused) throws Exception {
        database = TestPostgres.freshDatabase(version);
        try (var bouncer = PgBouncer.before(database);
                var only = through(bouncer, "prepareThreshold=0").getConnection()) {
            var borrowed = new AtomicInteger();
            Finding told = mode(new ForwardingDataSource(database.dataSource()) {
                @Override
                public Connection getConnection() throws SQLException {
                    if (borrowed.getAndIncrement() > 0 && isRefused) {
                        throw new SQLTransientConnectionException("the pool is empty");
                    }
                    return only;
                }
            });
            assertThat(told.title()).contains("could not be told");
            assertThat(told.severity()).isEqualTo(Severity.INFORMATION);
            assertThat(borrowed).hasValue(2);
        }
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void sessionPoolingIsNoTransactionPooling(PostgresVersion version) throws Exception {
        database = TestPostgres.freshDatabase(version);
        try (var bouncer = PgBouncer.before(database, "session", 3)) {
            Finding told = mode(through(bouncer, ""));
            assertThat(told.title()).contains("keep their server process");
            assertThat(told.severity()).isEqualTo(Severity.INFORMATION);
        }
    }

    /** The second connection gets no answer, and is cut off: PgBouncer itself would let it wait for two minutes. */
    @Test
    void sessionPoolingOfOneConnectionDoesNotHangTheLook() throws Exception {
        try (var bouncer = PgBouncer.before(database, "session", 1)) {
            DataSource dataSource = through(bouncer, "");
            assertTimeout(
                    Duration.ofSeconds(60),
                    () -> assertThat(mode(dataSource).title()).contains("could not be told"));
            try (var next = dataSource.getConnection()) {
                assertThat(next.isValid(20)).isTrue();
            }
        }
    }

    @Test
    void transactionPoolingOfManyConnectionsIsToldToo() throws Exception {
        try (var bouncer = PgBouncer.before(database, "transaction", 3)) {
            assertThat(mode(through(bouncer, "prepareThreshold=0")).title()).contains("each transaction");
        }
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void aDirectConnectionNeedsNoSecondOneAndTellsOfNoPooler(PostgresVersion version) {
        DataSource direct = TestPostgres.freshDatabase(version).dataSource();
        var borrowed = new AtomicInteger();
        Diagnosis diagnosis = Doctor.on(new ForwardingDataSource(direct) {
                    @Override
                    public Connection getConnection() throws SQLException {
                        borrowed.incrementAndGet();
                        return super.getConnection();
                    }
                })
                .look();
        assertThat(Told.of(diagnosis, FindingKind.POOLER)).isEmpty();
        assertThat(borrowed).hasValue(1);
    }

    /** A driver that does not tell what its handshake named: then the port that it went to is looked at. */
    @Test
    void withAnotherDriverThePortAndTheProcessesTell() throws Exception {
        try (var bouncer = PgBouncer.before(database)) {
            Finding told = mode(new UnknownDriver(through(bouncer, "prepareThreshold=0")));
            assertThat(told.title()).contains("each transaction");
            assertThat(Found.rows(told).get(0)).startsWith("").endsWith("");
        }
        var direct = new UnknownDriver(database.dataSource());
        assertThat(Told.of(Doctor.on(direct).look(), FindingKind.POOLER)).isEmpty();
        assertThat(direct.borrowed).hasValue(1);
    }

    private static final class UnknownDriver extends ForwardingDataSource {

        private final AtomicInteger borrowed = new AtomicInteger();

        UnknownDriver(DataSource target) {
            super(target);
        }

        @Override
        public Connection getConnection() throws SQLException {
            borrowed.incrementAndGet();
            Connection target = super.getConnection();
            return (Connection) Proxy.newProxyInstance(
                    PoolersTest.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (proxy, method, arguments) -> {
                        if (method.getName().equals("isWrapperFor")) {
                            return false;
                        }
                        try {
                            return method.invoke(target, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }
}
