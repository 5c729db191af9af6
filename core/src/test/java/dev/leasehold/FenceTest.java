package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A fence by hand, in a transaction of the caller. */
class FenceTest {

    private static final Duration BRIEF = Duration.ofSeconds(3);
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Leases leases = Leases.on(database.dataSource()).build();
    private final Leases others = Leases.on(database.dataSource()).build();
    private final Lease lease = leases.tryAcquire("sweep").lease().orElseThrow();

    @AfterEach
    void close() {
        leases.close();
        others.close();
    }

    private Connection begun() throws SQLException {
        var connection = database.connect();
        connection.setAutoCommit(false);
        return connection;
    }

    private void expire() throws SQLException {
        database.execute("update leases set expires_at = clock_timestamp() - interval '1 ms'");
    }

    private static String setting(Connection connection, String name) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("select current_setting('" + name + "')")) {
            rows.next();
            return rows.getString(1);
        }
    }

    @Test
    void nobodyTakesALeaseOverWhileAFencedTransactionIsOpen() throws Exception {
        var dead = Leases.on(database.dataSource()).build();
        var abandoned = dead.tryAcquire("abandoned").lease().orElseThrow();
        dead.close();
        database.execute("update leases set expires_at = clock_timestamp() + interval '1 s' where name = 'abandoned'");
        try (var connection = begun()) {
            abandoned.fence(connection);
            Await.until(
                    "run out",
                    LIMIT,
                    () -> database.queryForLong(
                                    "select count(*) from leases where name = 'abandoned' and expires_at < clock_timestamp()")
                            == 1);
            assertThat(others.tryAcquire("abandoned").lease()).isEmpty();
            connection.commit();
        }
        assertThat(others.tryAcquire("abandoned").lease()).isPresent();
    }

    @Test
    void anUpdateOfAnotherProgramWaitsForTheFencedTransactionToo() throws SQLException {
        try (var connection = begun();
                var program = database.connect();
                var statement = program.createStatement()) {
            lease.fence(connection);
            statement.execute("set lock_timeout = '200ms'");
            assertThatExceptionOfType(SQLException.class)
                    .isThrownBy(() -> statement.execute("update leases set expires_at = 'epoch'"))
                    .satisfies(e -> assertThat(e.getSQLState()).isEqualTo("55P03"));
            connection.commit();
        }
    }

    @Test
    void afterATakeoverTheFenceSaysThatTheLeaseIsLost() throws SQLException {
        try (var connection = begun()) {
            expire();
            assertThat(others.tryAcquire("sweep").lease()).isPresent();
            assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> lease.fence(connection));
            connection.rollback();
        }
    }

    @Test
    void theSettingsOfTheCallersTransactionAreLeftAsTheyWere() throws SQLException {
        try (var connection = begun();
                var statement = connection.createStatement()) {
            statement.execute("set local lock_timeout = '123s'");
            lease.fence(connection);
            assertThat(setting(connection, "lock_timeout")).isEqualTo("123s");
            assertThat(setting(connection, "idle_in_transaction_session_timeout"))
                    .isEqualTo("0");
            assertThat(setting(connection, "transaction_timeout")).isEqualTo("0");
            connection.commit();
            assertThat(setting(connection, "lock_timeout")).isEqualTo("0");
        }
    }

    @Test
    void aConnectionInAutocommitModeIsRefused() throws SQLException {
        try (var connection = database.connect()) {
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> lease.fence(connection))
                    .withMessageContaining("setAutoCommit(false)");
        }
    }

    @Test
    void aReadOnlyTransactionIsRefused() throws SQLException {
        try (var connection = begun()) {
            connection.setReadOnly(true);
            assertThatExceptionOfType(LeaseException.class)
                    .isThrownBy(() -> lease.fence(connection))
                    .withMessageContaining("the transaction is read-only");
            connection.rollback();
        }
    }

    @Test
    void atRepeatableReadARenewalAfterTheSnapshotIsNotCalledALoss() throws Exception {
        try (var often = Leases.on(database.dataSource())
                        .renewEvery(Duration.ofMillis(500))
                        .build();
                var connection = begun();
                var statement = connection.createStatement()) {
            var renewed = often.tryAcquire("renewed").lease().orElseThrow();
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            statement.execute("select 1");
            String expiry = "select expires_at::text from leases where name = 'renewed'";
            String before = "" + database.queryForString(expiry);
            Await.until("renewed", LIMIT, () -> !before.equals(database.queryForString(expiry)));
            assertThatExceptionOfType(LeaseException.class)
                    .isThrownBy(() -> renewed.fence(connection))
                    .withMessageContaining("fence first there")
                    .satisfies(e -> assertThat(e).isNotInstanceOf(LeaseLostException.class));
            connection.rollback();
            assertThat(renewed.isHeld()).isTrue();
        }
    }

    @Test
    void atRepeatableReadAFenceAtTheBeginningHolds() throws SQLException {
        try (var connection = begun()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            lease.fence(connection);
            connection.commit();
        }
    }

    @Test
    void aRowThatAnotherHasLockedIsNotCalledALossAndTheWaitIsBounded() throws Exception {
        try (var brief = Leases.on(database.dataSource()).ttl(BRIEF).build();
                var other = begun();
                var statement = other.createStatement();
                var connection = begun()) {
            var locked = brief.tryAcquire("locked", LIMIT).lease().orElseThrow();
            statement.execute("select from leases for update");
            assertThatExceptionOfType(LeaseException.class)
                    .isThrownBy(() -> locked.fence(connection))
                    .withMessageContaining("another transaction has its row locked");
            connection.rollback();
        }
    }

    @Test
    void aConnectionToAnotherDatabaseIsRefused() throws SQLException {
        try (var connection = TestPostgres.freshDatabase().connect()) {
            connection.setAutoCommit(false);
            assertThatExceptionOfType(LeaseException.class)
                    .isThrownBy(() -> lease.fence(connection))
                    .withMessageContaining("the database of the leases");
            connection.rollback();
        }
    }
}
