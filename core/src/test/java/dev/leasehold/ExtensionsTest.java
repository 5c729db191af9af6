package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.leasehold.testkit.ForwardingDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.Wire;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a holder trusts while its lease is given another limit. */
class ExtensionsTest {

    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void close() {
        threads.shutdownNow();
    }

    private static Lease limited(Leases leases, String name) {
        return leases.tryAcquire(LeaseRequest.named(name).limit(LONG)).lease().orElseThrow();
    }

    private long lockWaits() throws SQLException {
        return database.queryForLong("select count(*) from pg_stat_activity"
                + " where datname = current_database() and wait_event_type = 'Lock'");
    }

    @Test
    void aShorterLimitWhoseAnswerIsLostEndsTheTrustBeforeAnotherCanAcquireTheName() throws Exception {
        try (var wire = Wire.to(database);
                var leases = Leases.on(TestDatabase.dataSource(wire.jdbcUrl(database)))
                        .build();
                var others = Leases.on(database.dataSource()).build()) {
            var lease = limited(leases, "job");
            wire.failNext("as limit_micros", Wire.Fault.CUT_AFTER_APPLY);
            assertThatExceptionOfType(LeaseException.class).isThrownBy(() -> lease.extend(SHORT));
            Await.until("free", PATIENCE, () -> {
                boolean isFree = others.tryAcquire("job").lease().isPresent();
                assertThat(isFree && lease.isHeld()).as("held by both").isFalse();
                return isFree;
            });
        }
    }

    @Test
    void aShorterLimitThatHasSurelyNotArrivedChangesNothing() throws Exception {
        try (var leases = Leases.on(database.dataSource()).build();
                var foreign = database.connect()) {
            var lease = limited(leases, "job");
            Duration before = lease.timeLeft();
            foreign.setAutoCommit(false);
            try (var statement = foreign.createStatement()) {
                statement.execute("select from leases for no key update");
            }
            assertThatExceptionOfType(LeaseException.class)
                    .isThrownBy(() -> lease.extend(SHORT))
                    .withMessageContaining("need not be lost");
            assertThat(lease.timeLeft()).isBetween(before.minusMinutes(10), before);
        }
    }

    @Test
    void extensionsOfOneLeaseTakeTurns() throws Exception {
        var held = new CountDownLatch(1);
        var arrived = new CountDownLatch(1);
        var gated = new ForwardingDataSource(database.dataSource()) {
            private volatile boolean isShut;

            @Override
            public Connection getConnection() throws SQLException {
                if (isShut) {
                    isShut = false;
                    arrived.countDown();
                    awaitUninterrupted(held);
                }
                return super.getConnection();
            }
        };
        try (var leases = Leases.on(gated).build()) {
            var lease = limited(leases, "job");
            gated.isShut = true;
            Future<Boolean> first = threads.submit(() -> lease.extend(Duration.ofHours(2)));
            assertThat(arrived.await(20, TimeUnit.SECONDS)).isTrue();
            Future<Boolean> second = threads.submit(() -> lease.extend(Duration.ofSeconds(30)));
            assertThatExceptionOfType(TimeoutException.class)
                    .as("it would overtake the first")
                    .isThrownBy(() -> second.get(1, TimeUnit.SECONDS));
            held.countDown();
            assertThat(first.get(20, TimeUnit.SECONDS)).isTrue();
            assertThat(second.get(20, TimeUnit.SECONDS)).isTrue();
            assertThat(lease.timeLeft()).isLessThan(Duration.ofSeconds(30));
            assertThat(database.queryForLong(
                            "select count(*) from leases where expires_at < clock_timestamp() + interval '31 s'"))
                    .isEqualTo(1);
        }
    }

    private static void awaitUninterrupted(CountDownLatch latch) throws SQLException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted", e);
        }
    }

    /**
     * There are two places in the lane. The best of several: an extension is tried for half of the bound, two and a half seconds,
     * in which a busy machine may have stood still.
     */
    @Test
    void extensionsOfLockedRowsKeepNobodyElseFromItsTurn() throws Exception {
        try (var leases = Leases.on(database.dataSource()).build()) {
            leases.tryAcquire("other").lease().orElseThrow().release();
            var locked = List.of(limited(leases, "one"), limited(leases, "two"));
            boolean isServed = false;
            for (int i = 0; i < 5 && !isServed; i++) {
                isServed = isAnotherServedBeside(leases, locked);
            }
            assertThat(isServed).as("while both were tried, and then made").isTrue();
        }
    }

    private boolean isAnotherServedBeside(Leases leases, List<Lease> locked) throws Exception {
        try (var foreign = database.connect();
                var statement = foreign.createStatement()) {
            foreign.setAutoCommit(false);
            statement.execute("select from leases where name in ('one', 'two') for no key update");
            var extensions = new ArrayList<Future<Boolean>>();
            locked.forEach(lease -> extensions.add(threads.submit(() -> isExtended(lease))));
            Await.until(
                    "both wait",
                    PATIENCE,
                    () -> lockWaits() == 2 || extensions.stream().anyMatch(Future::isDone));
            leases.tryAcquire("other").lease().orElseThrow().release();
            boolean isServed = extensions.stream().noneMatch(Future::isDone);
            foreign.commit();
            for (Future<Boolean> extension : extensions) {
                isServed &= extension.get(20, TimeUnit.SECONDS);
            }
            return isServed;
        }
    }

    private static boolean isExtended(Lease lease) {
        try {
            return lease.extend(LONG);
        } catch (LeaseException lockedForTooLong) {
            return false;
        }
    }

    /** The renewal may have landed after the extension, and says nothing of its limit; the row lasts a ttl from the extension. */
    @Test
    void aRenewalThatWasSentBeforeAnExtensionWasAnsweredIsTrustedToTheOlderLimitOnly() {
        var ticker = Ticker.system();
        var terms = new LeaseTerms(Duration.ofMinutes(2), Duration.ofSeconds(30), Duration.ofSeconds(1));
        Reading sent = ticker.read();
        var key = new LeaseKey("job", "me", 1);
        var lease = new Lease(new Gained(key, Optional.empty(), 0, terms, sent), ticker, new NoOrigin());
        var older = new Limit(Duration.ofMinutes(1), Deadline.after(sent, Duration.ofMinutes(1)));
        lease.limit(older);
        var renewing = new Renewing(lease, sent);
        lease.limit(new Limit(LONG, Deadline.after(sent, LONG)));
        var unused = renewing.confirm(sent, older, ticker.read());
        assertThat(lease.standing().deadline()).isEqualTo(older.until());
        var known = renewing.confirm(sent, lease.limit().orElseThrow(), ticker.read());
        assertThat(known.isReconfirmed()).isFalse();
        assertThat(lease.standing().deadline()).isEqualTo(Deadline.after(sent, terms.trust()));
    }

    private static final class NoOrigin implements Lease.Origin {

        @Override
        public ReleaseOutcome release(Lease lease, Ending ending) {
            throw new UnsupportedOperationException("no database here");
        }

        @Override
        public boolean extend(Lease lease, Duration limit) {
            throw new UnsupportedOperationException("no database here");
        }

        @Override
        public Fencing fencing() {
            throw new UnsupportedOperationException("no database here");
        }
    }
}
