package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.testkit.ForwardingDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.Wire;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Acquiring with a wait limit. */
class WaitingTest {

    private static final Duration TTL = Duration.ofSeconds(20);
    private static final Duration LONG = Duration.ofMinutes(2);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<AutoCloseable> opened = new ArrayList<>();

    private <T extends AutoCloseable> T open(T closeable) {
        opened.add(0, closeable);
        return closeable;
    }

    private Leases leases(DataSource dataSource, Duration ttl) {
        return open(Leases.on(dataSource).ttl(ttl).build());
    }

    private Leases leases() {
        return leases(database.dataSource(), TTL);
    }

    private static Lease acquire(Leases leases, String name) {
        return leases.tryAcquire(name).lease().orElseThrow();
    }

    private Future<Acquisition> waitFor(Leases leases, Duration wait) {
        return threads.submit(() -> leases.tryAcquire("sweep", wait));
    }

    private static Lease won(Future<Acquisition> waiting) throws Exception {
        return waiting.get(60, TimeUnit.SECONDS).lease().orElseThrow();
    }

    /** Counts the connections that are asked for. */
    private static final class Counted extends ForwardingDataSource {

        private final AtomicInteger borrowed = new AtomicInteger();

        Counted(DataSource target) {
            super(target);
        }

        @Override
        public Connection getConnection() throws SQLException {
            borrowed.incrementAndGet();
            return super.getConnection();
        }
    }

    @AfterEach
    void close() throws Exception {
        threads.shutdownNow();
        for (AutoCloseable closeable : opened) {
            closeable.close();
        }
    }

    @Test
    void aFreeNameIsAcquiredAtOnceAndAZeroWaitIsOneTry() throws Exception {
        var counted = new Counted(database.dataSource());
        var leases = leases(counted, TTL);
        acquire(leases, "met");
        assertThat(leases.tryAcquire("sweep", LONG).lease()).isPresent();
        int before = counted.borrowed.get();
        assertThat(leases.tryAcquire("sweep", Duration.ZERO)).isInstanceOf(Acquisition.Busy.class);
        assertThat(counted.borrowed.get() - before).isEqualTo(1);
    }

    @Test
    void aNegativeWaitIsRefusedByItsValueAndTheRule() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> leases().tryAcquire("sweep", Duration.ofMillis(-1)))
                .withMessage("wait is PT-0.001S, but must be zero or more");
    }

    @Test
    void theLastRefusalIsTheAnswerOnceTheWaitIsOver() throws Exception {
        Lease lease = acquire(leases(), "sweep");
        Duration wait = Duration.ofMillis(1500);
        long start = System.nanoTime();
        assertThat(leases().tryAcquire("sweep", wait))
                .isInstanceOfSatisfying(
                        Acquisition.Busy.class,
                        busy -> assertThat(busy.holder()).contains(lease.holder()));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(wait);
    }

    @Test
    void anEarlyReleaseElsewhereIsNoticedLongBeforeTheLeaseWouldEnd() throws Exception {
        Lease lease = acquire(leases(database.dataSource(), Duration.ofHours(1)), "sweep");
        var counted = new Counted(database.dataSource());
        var contender = leases(counted, TTL);
        var waiting = waitFor(contender, LONG);
        int before = counted.borrowed.get();
        Await.until("looks again and again", LONG, () -> counted.borrowed.get() - before >= 4);
        assertThat(waiting).isNotDone();
        lease.release();
        assertThat(won(waiting).fence()).isGreaterThan(lease.fence());
    }

    /** By looks alone, one in three quarters of a second at most, this many hand-overs would take a minute. */
    @Test
    void aReleaseHereIsAnsweredAtOnce() throws Exception {
        var counted = new Counted(database.dataSource());
        var leases = leases(counted, TTL);
        Lease lease = acquire(leases, "sweep");
        long start = System.nanoTime();
        for (int i = 0; i < 80; i++) {
            int before = counted.borrowed.get();
            var waiting = waitFor(leases, LONG);
            Await.until("refused, or about to be", LONG, () -> counted.borrowed.get() > before);
            lease.release();
            lease = won(waiting);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(40));
    }

    @Test
    void oneConnectionIsEnoughForWhoeverWaitsAndForTheRest() throws Exception {
        Lease lease = acquire(leases(), "sweep");
        var config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(10_000);
        var pool = open(new HikariDataSource(config));
        var contender = leases(pool, TTL);
        var waiting = List.of(waitFor(contender, LONG), waitFor(contender, LONG), waitFor(contender, LONG));
        int free = 0;
        for (int i = 0; i < 200; i++) {
            free += pool.getHikariPoolMXBean().getActiveConnections() == 0 ? 1 : 0;
            try (var connection = pool.getConnection();
                    var statement = connection.createStatement()) {
                statement.execute("select 1");
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
        assertThat(free).as("looks that found the pool idle").isGreaterThan(100);
        assertThat(waiting).noneMatch(Future::isDone);
        lease.release();
        for (int i = 0; i < waiting.size(); i++) {
            Await.until("one has it", LONG, () -> waiting.stream().anyMatch(one -> isHeld(one)));
            waiting.stream()
                    .filter(WaitingTest::isHeld)
                    .forEach(one -> lease(one).release());
        }
        assertThat(waiting).allMatch(Future::isDone);
    }

    private static Lease lease(Future<Acquisition> waiting) {
        try {
            return won(waiting);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isHeld(Future<Acquisition> waiting) {
        return waiting.isDone() && lease(waiting).isHeld();
    }

    @Test
    void aDatabaseThatIsAwayForAMomentDoesNotEndTheWait() throws Exception {
        try (var wire = Wire.to(database)) {
            var counted = new Counted(TestDatabase.dataSource(wire.jdbcUrl(database)));
            var leases = leases(counted, TTL);
            wire.become(Wire.Mode.CUT);
            int before = counted.borrowed.get();
            var waiting = waitFor(leases, LONG);
            Await.until("failed more than once", LONG, () -> counted.borrowed.get() - before >= 3);
            assertThat(waiting).isNotDone();
            wire.become(Wire.Mode.WHOLE);
            assertThat(won(waiting).isHeld()).isTrue();
        }
    }

    @Test
    void aDatabaseThatIsAwayToTheEndOfTheWaitIsItsException() throws Exception {
        try (var wire = Wire.to(database)) {
            var leases = leases(TestDatabase.dataSource(wire.jdbcUrl(database)), TTL);
            wire.become(Wire.Mode.CUT);
            Duration wait = Duration.ofMillis(700);
            long start = System.nanoTime();
            assertThatExceptionOfType(LeaseException.class)
                    .isThrownBy(() -> leases.tryAcquire("sweep", wait))
                    .withMessageStartingWith("lease sweep could not be acquired: ");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(wait);
        }
    }

    @Test
    void whatWaitingCannotHealEndsTheWait() throws Exception {
        var leases = leases();
        acquire(leases, "sweep");
        var waiting = waitFor(leases, LONG);
        leases.close();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> waiting.get(30, TimeUnit.SECONDS))
                .withMessageContaining("the leases are closed");
        var next = leases();
        database.execute("drop table leases");
        var onMissingTable = waitFor(next, LONG);
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> onMissingTable.get(30, TimeUnit.SECONDS))
                .withMessageContaining("is the lease table created");
    }

    @Test
    void anInterruptEndsTheWaitAndNothingIsHeld() throws Exception {
        var contender = leases(database.dataSource(), Duration.ofSeconds(4));
        for (int i = 0; i < 30; i++) {
            Lease lease = acquire(leases(), "sweep-" + i);
            String name = lease.name();
            var waiting = threads.submit(() -> {
                Thread me = Thread.currentThread();
                var interrupter = threads.submit(() -> {
                    TimeUnit.MICROSECONDS.sleep(200L * Integer.parseInt(name.substring(6)));
                    me.interrupt();
                    return true;
                });
                try {
                    return contender.tryAcquire(name, LONG).lease().isPresent();
                } finally {
                    interrupter.get();
                }
            });
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> waiting.get(30, TimeUnit.SECONDS))
                    .withCauseInstanceOf(InterruptedException.class);
            lease.release();
        }
        Await.until("all free", LONG, () -> contender.rows().stream().noneMatch(LeaseRow::held));
    }

    @Test
    void anInterruptFromBeforeIsAnsweredWithoutATry() {
        var leases = leases();
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> leases.tryAcquire("sweep", LONG));
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(leases.rows()).isEmpty();
    }
}
