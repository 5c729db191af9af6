package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.testkit.OptionalTool;
import dev.leasehold.testkit.PgBouncer;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Through a PgBouncer that pools transactions, and has one connection to the server for everybody. */
class PgBouncerTest {

    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String SETTINGS = """
            select string_agg(name || '=' || setting, ' ' order by name)
              from pg_settings
             where name in ('default_transaction_isolation', 'default_transaction_read_only', 'lock_timeout',
                            'statement_timeout', 'synchronous_commit', 'idle_in_transaction_session_timeout')
            """;

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final List<AutoCloseable> opened = new ArrayList<>();

    @BeforeEach
    void needsPgBouncer() {
        OptionalTool.PGBOUNCER.orSkip();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable closeable : opened) {
            closeable.close();
        }
    }

    private <T extends AutoCloseable> T open(T closeable) {
        opened.add(0, closeable);
        return closeable;
    }

    private HikariDataSource pool(PgBouncer bouncer, String settings) {
        var config = new HikariConfig();
        config.setJdbcUrl(bouncer.jdbcUrl(settings));
        config.setMaximumPoolSize(4);
        return open(new HikariDataSource(config));
    }

    private Leases leases(DataSource dataSource) {
        return open(
                Leases.on(dataSource).ttl(TTL).renewEvery(Duration.ofSeconds(1)).build());
    }

    private static String query(DataSource dataSource, String sql) throws SQLException {
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return String.valueOf(rows.getString(1));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "default_transaction_isolation = 'read committed'",
                "default_transaction_isolation = 'repeatable read'",
                "default_transaction_read_only = on",
                "synchronous_commit = off"
            })
    void withoutServerSidePreparationAllWorksOnOneServerConnectionAndNothingLeaksToOtherClients(String setting)
            throws Exception {
        database.execute("alter database " + database.name() + " set " + setting);
        var bouncer = open(PgBouncer.before(database));
        var other = pool(bouncer, "prepareThreshold=0");
        String settings = query(other, SETTINGS);
        String backend = query(other, "select pg_backend_pid()");
        var leases = leases(pool(bouncer, "prepareThreshold=0"));
        var contender = leases(pool(bouncer, "prepareThreshold=0"));

        var kept = leases.tryAcquire("kept").lease().orElseThrow();
        var expiry = leases.rows().get(0).expiresAt();
        var grid = Grid.every(Duration.ofHours(1));
        for (int i = 0; i < 10; i++) {
            assertThat(contender.tryAcquire("kept").lease()).isEmpty();
            assertThat(contender.tryAcquire("plain").lease().orElseThrow().release())
                    .isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(leases.tryAcquireSlot("slot " + i, grid)
                            .lease()
                            .orElseThrow()
                            .releaseDone())
                    .isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(query(other, SETTINGS)).isEqualTo(settings);
        }
        Await.until("renewed", TTL, () -> contender.rows().get(0).expiresAt().isAfter(expiry));
        assertThat(kept.isHeld()).isTrue();
        assertThat(kept.release()).isEqualTo(ReleaseOutcome.RELEASED);

        assertThat(query(other, SETTINGS)).isEqualTo(settings);
        assertThat(query(other, "select pg_backend_pid()")).as("all on one").isEqualTo(backend);
        assertThat(query(other, "select count(*) from pg_prepared_statements")).isEqualTo("0");
        assertThat(query(
                        other,
                        "select count(*) from pg_locks l join pg_database d on d.oid = l.database"
                                + " where l.locktype = 'advisory' and d.datname = current_database()"))
                .isEqualTo("0");
    }

    private static void write(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("insert into effects values ('written')");
        }
    }

    @Test
    void fencedTransactionsFinishesHoldingsAndTheCleanUpWorkAndLeaveNothingBehind() throws Exception {
        database.execute("create table effects (what text)");
        var bouncer = open(PgBouncer.before(database));
        var pool = pool(bouncer, "prepareThreshold=0");
        String settings = query(pool, SETTINGS);
        var leases = leases(pool);
        var others = leases(pool(bouncer, "prepareThreshold=0"));

        var plain = leases.tryAcquire("plain").lease().orElseThrow();
        for (int i = 0; i < 10; i++) {
            plain.runFenced(PgBouncerTest::write);
            try (var connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                write(connection);
                plain.fence(connection);
                connection.commit();
            }
            var counted = leases.tryAcquireSlot("counted " + i, Grid.every(Duration.ofDays(100)))
                    .lease()
                    .orElseThrow();
            counted.runFenced(connection -> {
                write(connection);
                counted.finish(connection);
            });
            assertThat(counted.release()).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(counted.isCounted()).isTrue();
            assertThat(query(pool, SETTINGS)).isEqualTo(settings);
        }
        assertThat(query(pool, "select count(*) from effects")).isEqualTo("30");
        assertThat(others.releaseByForce("plain", "a test")).isPresent();
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> plain.runFenced(PgBouncerTest::write));
        assertThat(query(pool, "select count(*) from effects")).isEqualTo("30");

        var first = open(leases.holdOn("led").start());
        Await.until("held on", LIMIT, first::isHeld);
        var second = open(others.holdOn("led").lookEvery(Duration.ofMillis(100)).start());
        first.close();
        Await.until("held on by the other", LIMIT, second::isHeld);

        query(
                pool,
                "with old as (update leases set taken_at = '2020-01-01', fence = 1 where name = 'plain')"
                        + " select 1");
        assertThat(leases.cleanUp(Duration.ofHours(1))).isEqualTo(1);
        assertThat(query(pool, SETTINGS)).isEqualTo(settings);
        assertThat(query(pool, "select coalesce(current_setting('leasehold.fenced_for', true), '')"))
                .isEmpty();
    }

    /** One of several will do: between two waits in line another may get ahead, if the machine stands still just then. */
    @Test
    void aLeaseInDangerStandsInLineThroughItToo() throws Exception {
        var bouncer = open(PgBouncer.before(database, "transaction", 4));
        var leases = open(Leases.on(pool(bouncer, "prepareThreshold=0"))
                .ttl(Duration.ofSeconds(4))
                .build());
        boolean wasAhead = false;
        for (int i = 0; i < 5 && !wasAhead; i++) {
            wasAhead = isAheadOfAContender(
                    leases.tryAcquire("locked " + i, LIMIT).lease().orElseThrow());
        }
        assertThat(wasAhead).as("ahead of a contender").isTrue();
    }

    private boolean isAheadOfAContender(Lease lease) throws Exception {
        try (var contender = Leases.on(database.dataSource()).build()) {
            try (var other = database.connect();
                    var statement = other.createStatement()) {
                other.setAutoCommit(false);
                statement.execute("select * from leases where name = '" + lease.name() + "' for update");
                Await.until(
                        "expired, and the holder in line",
                        LIMIT,
                        () -> database.queryForLong("""
                                select count(*)
                                  from leases, pg_stat_activity a
                                 where leases.name = '%s'
                                   and leases.expires_at < clock_timestamp()
                                   and a.datname = current_database()
                                   and a.wait_event_type = 'Lock'
                                   and a.query_start > clock_timestamp() - interval '1 second'
                                """.formatted(lease.name())) == 1);
                other.rollback();
            }
            if (contender.tryAcquire(lease.name()).lease().isPresent()) {
                return false;
            }
            Await.until("held again", LIMIT, lease::isHeld);
            return true;
        }
    }

    @Test
    void withServerSidePreparationTheErrorSaysWhatToDo() throws Exception {
        Leases.on(database.dataSource()).build().close();
        var bouncer = open(PgBouncer.before(database));
        var first = leases(pool(bouncer, ""));
        var second = leases(pool(bouncer, ""));
        assertThatExceptionOfType(LeaseException.class)
                .isThrownBy(() -> {
                    for (int i = 0; i < 100; i++) {
                        first.tryAcquire("sweep").lease().ifPresent(Lease::release);
                        second.tryAcquire("sweep").lease().ifPresent(Lease::release);
                    }
                })
                .withMessageContaining("prepareThreshold=0");
    }
}
