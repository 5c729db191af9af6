package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.testkit.ForwardingDataSource;
import dev.leasehold.testkit.PostgresVersion;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.Wire;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A database that cannot be asked is told of in one line, with what to do and without a password. */
class CouldNotLookTest {

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void whoIsUnknownToTheServerIsToldSo(PostgresVersion version) {
        TestDatabase database = TestPostgres.freshDatabase(version);
        assertThatThrownBy(() -> Doctor.on(database.dataSourceAs("nobody", "")).look())
                .isInstanceOf(CouldNotLookException.class)
                .hasMessage(
                        "the role does not exist, or may not connect from here: see the role, and pg_hba.conf of the"
                                + " server (FATAL: role \"nobody\" does not exist)");
        String elsewhere = database.jdbcUrl().replace(database.name(), "nowhere");
        assertThatThrownBy(() -> Doctor.on(TestDatabase.dataSource(elsewhere)).look())
                .isInstanceOf(CouldNotLookException.class)
                .hasMessage("the database does not exist: see its name in the URL (FATAL: database \"nowhere\" does not"
                        + " exist)");
    }

    @Test
    void aServerThatIsAwayIsToldSo() throws Exception {
        try (var nobodyListens = new Socket()) {
            nobodyListens.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            String url =
                    "jdbc:postgresql://127.0.0.1:" + nobodyListens.getLocalPort() + "/shop?user=app&password=s3cret";
            assertThatThrownBy(() -> Doctor.on(TestDatabase.dataSource(url)).look())
                    .isInstanceOf(CouldNotLookException.class)
                    .hasMessageStartingWith("the server is away or cannot be reached: see the host and port")
                    .hasMessageNotContaining("s3cret")
                    .hasMessageNotContaining("\n");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "28P01, the password is wrong or missing",
        "57P03, the server takes no connections now",
        "57P01, the session was ended by the server",
        "57014, the server did not answer within the bounds of a look",
        "55000, the database takes no connections",
        "08P01, what answers there is no PostgreSQL server",
        "08006, the server is away",
        "25001, the DataSource handed out a connection that is in a transaction already",
        "XX000, could not look"
    })
    void eachStateHasItsAdvice(String sqlState, String advice) {
        assertThat(CouldNotLookException.because(new SQLException("FATAL:\n  so", sqlState)))
                .hasMessageStartingWith(advice)
                .hasMessageEndingWith("(FATAL: so)");
    }

    @Test
    void theReasonBelowAPoolIsTold() {
        var pool = new SQLTransientConnectionException(
                "pool - Connection is not available", "53300", new SQLException("FATAL: full", "53300"));
        assertThat(CouldNotLookException.because(pool))
                .hasMessageStartingWith("no connection is left")
                .hasMessageEndingWith("(FATAL: full)");
        assertThat(CouldNotLookException.because(new SQLTransientConnectionException("timed out after 30000ms")))
                .hasMessage("the pool gave no connection within its time: all of its connections are in use (timed out"
                        + " after 30000ms)");
    }

    @Test
    void aSourceThatSaysMoreThanTheDriverIsHeard() {
        var source = new SQLException("no connection to host a", "08001", new SQLException("refused", "08001"));
        var pool = new SQLTransientConnectionException("not available", "08001", source);
        assertThat(CouldNotLookException.because(pool)).hasMessageEndingWith("(no connection to host a)");
    }

    @Test
    void whatIsNextOrSuppressedCountsWhereNoCauseSaysWhy() {
        var next = new SQLException("connection failed");
        next.setNextException(new SQLException("FATAL: starting", "57P03"));
        assertThat(CouldNotLookException.because(next)).hasMessageEndingWith("(FATAL: starting)");
        var cause = new IllegalStateException();
        cause.addSuppressed(new SQLException("FATAL: password", "28P01"));
        var suppressed = new SQLException("connection failed", cause);
        assertThat(CouldNotLookException.because(suppressed)).hasMessageEndingWith("(FATAL: password)");
        var both = new SQLException("FATAL: no role", "28000");
        both.addSuppressed(new SQLException("FATAL: no pg_hba.conf entry", "28000"));
        assertThat(CouldNotLookException.because(both)).hasMessageEndingWith("(FATAL: no role)");
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void behindARealPoolTheServersReasonIsToldAndOtherwiseThatThePoolIsEmpty(PostgresVersion version) throws Exception {
        TestDatabase database = TestPostgres.freshDatabase(version);
        try (HikariDataSource nobody = pool(database.dataSourceAs("nobody", ""));
                HikariDataSource empty = pool(database.dataSource());
                Connection borrowed = empty.getConnection()) {
            assertThat(borrowed.isValid(30)).isTrue();
            assertThatThrownBy(() -> Doctor.on(nobody).look())
                    .hasMessageStartingWith("the role does not exist, or may not connect from here")
                    .hasMessageEndingWith("(FATAL: role \"nobody\" does not exist)");
            assertThatThrownBy(() -> Doctor.on(empty).look())
                    .isInstanceOf(CouldNotLookException.class)
                    .hasMessageStartingWith(
                            "the pool gave no connection within its time: all of its connections are in use (");
        }
    }

    @Test
    void aPoolThatOpensItsFirstConnectionsNowThrowsNothingOfItsOwn() {
        var pool = new HikariDataSource();
        pool.setDataSource(TestPostgres.freshDatabase().dataSourceAs("nobody", ""));
        try (pool) {
            assertThatThrownBy(() -> Doctor.on(pool).look())
                    .isInstanceOf(CouldNotLookException.class)
                    .hasMessageStartingWith("the role does not exist, or may not connect from here")
                    .hasMessageEndingWith("(FATAL: role \"nobody\" does not exist)");
        }
    }

    @Test
    void aServerThatAnswersNoMoreEndsTheLook() {
        TestDatabase database = TestPostgres.freshDatabase();
        try (Wire wire = Wire.to(database)) {
            Doctor doctor =
                    Doctor.on(TestDatabase.dataSource(wire.jdbcUrl(database))).withBound(Duration.ofSeconds(3));
            wire.failNext("max_connections", Wire.Fault.SILENCE);
            assertTimeoutPreemptively(
                    Duration.ofSeconds(30),
                    () -> assertThatThrownBy(doctor::look)
                            .isInstanceOf(CouldNotLookException.class)
                            .hasMessageStartingWith("the server is away or cannot be reached"));
            assertThat(wire.hasFailed()).isTrue();
        }
    }

    @Test
    void theBoundThatTheConnectionHadIsPutBack() throws Exception {
        DataSource plain = TestPostgres.freshDatabase().dataSource();
        var looked = new AtomicInteger();
        try (Connection connection = plain.getConnection()) {
            connection.setNetworkTimeout(Runnable::run, 40_000);
            var unused = Look.through(
                    connection,
                    new Look.From(plain, Questions.DEFAULTS, Duration.ofSeconds(20)),
                    InstantSource.system(),
                    sight -> {
                        looked.set(sight.connection().getNetworkTimeout());
                        return true;
                    });
            assertThat(looked).hasValue(20_000);
            assertThat(connection.getNetworkTimeout()).isEqualTo(40_000);
        }
    }

    private static HikariDataSource pool(DataSource dataSource) {
        var config = new HikariConfig();
        config.setDataSource(dataSource);
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(3_000);
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    @Test
    void aConnectionThatIsInATransactionIsRefused() throws Exception {
        DataSource plain = TestPostgres.freshDatabase().dataSource();
        try (Connection busy = plain.getConnection();
                var statement = busy.createStatement()) {
            busy.setAutoCommit(false);
            statement.execute("select 1");
            assertThatThrownBy(() -> Doctor.on(new ForwardingDataSource(plain) {
                                @Override
                                public Connection getConnection() {
                                    return busy;
                                }
                            })
                            .look())
                    .isInstanceOf(CouldNotLookException.class)
                    .hasMessageStartingWith(
                            "the DataSource handed out a connection that is in a transaction already: give the"
                                    + " doctor the DataSource below the proxy that joins transactions (");
        }
    }

    @Test
    void noPasswordIsTold() {
        String url = "jdbc:x://app:s3cr@t@host/shop?user=app&password=s3cret&sslpassword=s3cret&ssl=true";
        var thrown = CouldNotLookException.because(new SQLException("No suitable driver for " + url, "08001"));
        assertThat(thrown)
                .hasMessageEndingWith("for jdbc:x://app:***@host/shop?user=app&password=***&sslpassword=***&ssl=true)")
                .hasNoCause();
        assertThat(CouldNotLookException.because(new SQLException("x", "08001")))
                .hasCauseInstanceOf(SQLException.class);
    }
}
