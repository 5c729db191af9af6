package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.testkit.ForwardingDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Work in a transaction that is fenced just before its commit: a stale holder commits nothing. */
class FencedTransactionsTest {

    private static final int FENCERS = 5;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Leases leases =
            Leases.on(database.dataSource()).ttl(Duration.ofSeconds(30)).build();
    private final Leases others =
            Leases.on(database.dataSource()).ttl(Duration.ofSeconds(30)).build();

    @BeforeEach
    void createTable() throws SQLException {
        database.execute("create table effect (what text)");
    }

    @AfterEach
    void close() {
        leases.close();
        others.close();
    }

    private static void write(Connection connection, String what) throws SQLException {
        try (var statement = connection.prepareStatement("insert into effect values (?)")) {
            statement.setString(1, what);
            statement.executeUpdate();
        }
    }

    private static String setting(Connection connection, String name) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("show " + name)) {
            rows.next();
            return rows.getString(1);
        }
    }

    private long effects() throws SQLException {
        return database.queryForLong("select count(*) from effect");
    }

    private long openTransactions() throws SQLException {
        return database.queryForLong("select count(*) from pg_stat_activity where datname = current_database()"
                + " and state like 'idle in transaction%'");
    }

    private Lease takeOver(String name) throws SQLException {
        database.execute(
                "update leases set expires_at = clock_timestamp() - interval '1 ms' where name = '" + name + "'");
        return others.tryAcquire(name).lease().orElseThrow();
    }

    @Test
    void whatTheWorkOfAHolderWritesIsCommittedAndAnswered() throws SQLException {
        var lease = leases.tryAcquire("sweep").lease().orElseThrow();
        String answer = lease.callFenced(connection -> {
            write(connection, "one");
            return "done";
        });
        assertThat(answer).isEqualTo("done");
        assertThat(effects()).isEqualTo(1);
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void afterATakeoverTheStaleHolderCommitsNothing() throws SQLException {
        var lease = leases.tryAcquire("sweep").lease().orElseThrow();
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> lease.runFenced(connection -> {
                    write(connection, "stale");
                    takeOver("sweep");
                }))
                .withMessageContaining("fences nothing any more");
        assertThat(effects()).isZero();
    }

    @Test
    void aFenceWhoseSavepointWasRolledBackDoesNotHelpAStaleHolder() throws SQLException {
        var lease = leases.tryAcquire("sweep").lease().orElseThrow();
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> lease.runFenced(connection -> {
                    write(connection, "stale");
                    var savepoint = connection.setSavepoint();
                    lease.fence(connection);
                    connection.rollback(savepoint);
                    takeOver("sweep");
                }));
        assertThat(effects()).isZero();
    }

    @Test
    void aReleasedLeaseFencesNothing() throws SQLException {
        var lease = leases.tryAcquire("sweep").lease().orElseThrow();
        lease.release();
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> lease.runFenced(c -> write(c, "late")));
        var released = leases.tryAcquire("alerts").lease().orElseThrow();
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> released.runFenced(connection -> {
                    write(connection, "late");
                    released.release();
                }));
        assertThat(effects()).isZero();
    }

    @Test
    void aFinishThatWasRolledBackLeavesTheNextTransactionFenced() throws SQLException {
        var lease = leases.tryAcquire("sweep").lease().orElseThrow();
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> lease.runFenced(connection -> {
                    lease.finish(connection);
                    throw new IllegalArgumentException("after all");
                }));
        Lease successor = takeOver("sweep");
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> lease.runFenced(connection -> write(connection, "stale")));
        assertThat(effects()).isZero();
        assertThat(successor.isHeld()).isTrue();
    }

    @Test
    void aFinishWhoseSavepointWasRolledBackIsNoFence() throws SQLException {
        var lease = leases.tryAcquire("sweep").lease().orElseThrow();
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> lease.runFenced(connection -> {
                    write(connection, "stale");
                    var savepoint = connection.setSavepoint();
                    lease.finish(connection);
                    connection.rollback(savepoint);
                    takeOver("sweep");
                }));
        assertThat(effects()).isZero();
    }

    @Test
    void aTransactionThatFinishedNothingDoesNotMakeAnEarlierFinishTrue() throws SQLException {
        var lease = leases.tryAcquire("sweep").lease().orElseThrow();
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> lease.runFenced(connection -> {
                    lease.finish(connection);
                    throw new IllegalArgumentException("after all");
                }));
        lease.runFenced(connection -> write(connection, "more"));
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(database.queryForString("select (expires_at = 'epoch')::text from leases"))
                .as("really released")
                .isEqualTo("true");
    }

    @Test
    void aLongerTimeOutOfTheRoleDoesNotPutOffTheEndOfTheCommit() throws Exception {
        database.execute("alter database " + database.name() + " set transaction_timeout = '1h'");
        aCommitThatTakesLongerThanATtlIsEndedByTheServer();
    }

    @Test
    void whatTheWorkThrowsRollsBackAndReachesTheCaller() throws SQLException {
        var lease = leases.tryAcquire("sweep").lease().orElseThrow();
        assertThatThrownBy(() -> lease.runFenced(connection -> {
                    write(connection, "half");
                    throw new SQLException("of the work", "P0001");
                }))
                .isInstanceOf(SQLException.class)
                .hasMessage("of the work");
        assertThat(effects()).isZero();
    }

    @Test
    void theTransactionIsReadCommittedAndEndedByTheServerWhenIdleForATtlWhateverTheDefaults() throws SQLException {
        database.execute("alter database " + database.name() + " set default_transaction_isolation = serializable");
        database.execute("alter database " + database.name() + " set default_transaction_read_only = on");
        var config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setAutoCommit(false);
        config.setMaximumPoolSize(1);
        try (var pool = new HikariDataSource(config)) {
            var lease = leases.tryAcquire("sweep").lease().orElseThrow();
            lease.runFenced(pool, connection -> {
                assertThat(setting(connection, "transaction_isolation")).isEqualTo("read committed");
                assertThat(setting(connection, "idle_in_transaction_session_timeout"))
                        .isEqualTo("30s");
                write(connection, "one");
            });
            try (var connection = pool.getConnection()) {
                assertThat(connection.getAutoCommit()).isFalse();
                assertThat(setting(connection, "idle_in_transaction_session_timeout"))
                        .isEqualTo("0");
                assertThat(setting(connection, "lock_timeout")).isEqualTo("0");
            }
        }
        assertThat(effects()).isEqualTo(1);
    }

    /** As when it calls a service that does not answer for a while. */
    @Test
    void workThatLeavesItsTransactionIdleForLongerThanATtlLearnsWhyItIsGone() throws Exception {
        var ttl = Duration.ofSeconds(2);
        try (var brief = Leases.on(database.dataSource()).ttl(ttl).build();
                var lease = brief.tryAcquire("sweep", LIMIT).lease().orElseThrow()) {
            assertThatExceptionOfType(SQLException.class)
                    .isThrownBy(() -> lease.runFenced(connection -> {
                        Await.until("idle until the server ended it", LIMIT, () -> openTransactions() == 0);
                        write(connection, "never seen");
                    }))
                    .satisfies(thrown -> assertThat(thrown.getSuppressed())
                            .singleElement()
                            .satisfies(why -> assertThat(why)
                                    .hasMessage("the server has ended the fenced transaction under lease sweep"
                                            + " (a fenced transaction may be idle for a ttl at most)")));
        }
    }

    @Test
    void aTighterTimeOutOfTheRoleIsKept() throws SQLException {
        database.execute("alter database " + database.name() + " set idle_in_transaction_session_timeout = '7s'");
        var lease = leases.tryAcquire("sweep").lease().orElseThrow();
        lease.runFenced(connection -> {
            assertThat(setting(connection, "idle_in_transaction_session_timeout"))
                    .isEqualTo("7s");
        });
    }

    @Test
    void workThatCommitsByItselfIsToldThatItsTransactionWasNotFenced() throws SQLException {
        var lease = leases.tryAcquire("sweep").lease().orElseThrow();
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> lease.runFenced(connection -> {
                    connection.commit();
                    write(connection, "after");
                }))
                .withMessageContaining("has ended the fenced transaction itself");
        assertThat(effects()).isZero();
    }

    @Test
    void aCommitThatTakesLongerThanATtlIsEndedByTheServer() throws Exception {
        database.execute("""
                create function sleep_at_commit() returns trigger language plpgsql as
                'begin perform pg_sleep(60); return null; end'
                """);
        database.execute("""
                create constraint trigger slow after insert on effect deferrable initially deferred
                for each row execute function sleep_at_commit()
                """);
        try (var shortLeases =
                Leases.on(database.dataSource()).ttl(Duration.ofSeconds(3)).build()) {
            var lease = shortLeases.tryAcquire("sweep", LIMIT).lease().orElseThrow();
            long start = System.nanoTime();
            assertThatExceptionOfType(LeaseException.class)
                    .isThrownBy(() -> lease.runFenced(connection -> write(connection, "slow")))
                    .withMessageContaining("could not be committed");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
        }
        assertThat(effects()).isZero();
    }

    @Test
    void aTransactionOfTheCallerIsRefusedAndLeftAsItIs() throws SQLException {
        try (var callers = database.connect()) {
            callers.setAutoCommit(false);
            write(callers, "mine");
            var lease = leases.tryAcquire("sweep").lease().orElseThrow();
            var joining = new ForwardingDataSource(database.dataSource()) {
                @Override
                public Connection getConnection() {
                    return callers;
                }
            };
            assertThatExceptionOfType(LeaseException.class)
                    .isThrownBy(() -> lease.runFenced(joining, connection -> write(connection, "theirs")))
                    .withMessageContaining("in a transaction already");
            assertThat(effects()).isZero();
        }
    }

    @Test
    void aFullPoolOfTheWorkIsNoHarmToLeasesThatHaveAnother() throws SQLException {
        var config = new HikariConfig();
        config.setDataSource(TestDatabase.dataSource(database.jdbcUrl()));
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(500);
        try (var pool = new HikariDataSource(config);
                var filled = pool.getConnection()) {
            var lease = leases.tryAcquire("sweep").lease().orElseThrow();
            assertThatExceptionOfType(LeaseException.class)
                    .isThrownBy(() -> lease.runFenced(pool, connection -> write(connection, "one")))
                    .withMessageContaining("could not be begun");
            assertThat(filled.isValid(30)).isTrue();
            assertThat(lease.isHeld()).isTrue();
            assertThat(others.tryAcquire("sweep").lease()).isEmpty();
        }
    }

    @Test
    void aHolderThatFencesAllTheTimeIsRenewedAllTheSame() throws Exception {
        var ttl = Duration.ofSeconds(10);
        var config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(FENCERS);
        var executor = Executors.newFixedThreadPool(FENCERS);
        try (var pool = new HikariDataSource(config);
                var busy = Leases.on(database.dataSource()).ttl(ttl).build()) {
            var lease = busy.tryAcquire("sweep").lease().orElseThrow();
            long end = System.nanoTime() + ttl.plusSeconds(2).toNanos();
            var fencers = new ArrayList<Future<Integer>>();
            for (int i = 0; i < FENCERS; i++) {
                fencers.add(executor.submit(() -> fenceUntil(end, lease, pool)));
            }
            while (System.nanoTime() < end) {
                assertThat(others.tryAcquire("sweep").lease()).isEmpty();
                assertThat(lease.isHeld()).isTrue();
                TimeUnit.MILLISECONDS.sleep(20);
            }
            for (var fencer : fencers) {
                assertThat(fencer.get()).isPositive();
            }
        } finally {
            executor.shutdownNow();
        }
    }

    /** In several threads the fences overlap, so that the row is hardly ever without a lock. */
    private static int fenceUntil(long end, Lease lease, DataSource source) throws Exception {
        int times = 0;
        while (System.nanoTime() < end) {
            try (var connection = source.getConnection()) {
                connection.setAutoCommit(false);
                lease.fence(connection);
                TimeUnit.MILLISECONDS.sleep(30);
                connection.commit();
                times++;
            }
        }
        return times;
    }
}
