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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One instance at a time holds on. Some leases are brief, of three seconds, so they have a bound of 1.4 seconds. */
class HoldingTest {

    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Duration RENEW_EVERY = Duration.ofMillis(500);
    private static final Duration BRIEF = Duration.ofSeconds(3);
    private static final Duration OFTEN = Duration.ofMillis(100);
    private static final Duration QUICK = Duration.ofSeconds(3);
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final List<AutoCloseable> opened = new ArrayList<>();

    private <T extends AutoCloseable> T open(T closeable) {
        opened.add(0, closeable);
        return closeable;
    }

    private Leases leases(DataSource dataSource) {
        return open(Leases.on(dataSource).ttl(TTL).renewEvery(RENEW_EVERY).build());
    }

    private Leases brief(DataSource dataSource) {
        return open(Leases.on(dataSource).ttl(BRIEF).build());
    }

    private Leases leases() {
        return leases(database.dataSource());
    }

    private static Holding holdOn(Leases leases, LeaseListener listener) {
        return leases.holdOn("feed").lookEvery(OFTEN).listener(listener).start();
    }

    private Holding holdOn(LeaseListener listener) {
        return open(holdOn(leases(), listener));
    }

    private Holding holdOn() {
        return holdOn(new Events());
    }

    private static void awaitHeld(Holding holding) throws Exception {
        Await.until("held", LIMIT, holding::isHeld);
    }

    private static Duration since(long start) {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable closeable : opened) {
            closeable.close();
        }
    }

    @Test
    void oneHoldsAndTheNextOneGetsItWhenItCloses() throws Exception {
        var events = new Events();
        var first = holdOn(events);
        awaitHeld(first);
        var second = holdOn();
        var third = holdOn();
        Lease lease = first.lease().orElseThrow();
        assertThat(second.lease()).isEmpty();
        first.close();
        assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
        assertThat(first.isHeld()).isFalse();
        assertThat(first.lease()).isEmpty();
        assertThat(events.seen()).as("told before the close returns").containsExactly("gained", "released");
        Await.until("the next one holds", LIMIT, () -> second.isHeld() || third.isHeld());
        var next = second.isHeld() ? second : third;
        assertThat(next.lease().orElseThrow().fence()).isGreaterThan(lease.fence());
        assertThat(second.isHeld() && third.isHeld()).isFalse();
    }

    @Test
    void itIsHeldFromBeforeTheListenerIsToldOfIt() throws Exception {
        var leases = leases();
        for (int i = 0; i < 50; i++) {
            var holding = new CompletableFuture<Holding>();
            var seen = new AtomicReference<Boolean>();
            var listener = new LeaseListener() {
                @Override
                public void gained(Lease lease) {
                    seen.set(holding.join().isHeld()
                            && holding.join().lease().orElseThrow().equals(lease));
                }
            };
            holding.complete(leases.holdOn("feed-" + i).listener(listener).start());
            Await.until("told", LIMIT, () -> seen.get() != null);
            assertThat(seen.get()).isTrue();
        }
    }

    /** On a busy machine the other may come too late at times, and then it is resigned again. Without a rest it never came. */
    @Test
    void whoResignsLetsTheOthersHaveIt() throws Exception {
        var first =
                open(leases().holdOn("feed").lookEvery(Duration.ofMillis(500)).start());
        awaitHeld(first);
        var second =
                open(leases().holdOn("feed").lookEvery(Duration.ofMillis(500)).start());
        int resigned = 0;
        for (int turn = 0; turn < 6; turn++) {
            var from = turn % 2 == 0 ? first : second;
            var to = turn % 2 == 0 ? second : first;
            while (!to.isHeld()) {
                resigned++;
                from.resign();
                assertThat(from.isHeld()).isFalse();
                Await.until("one of them holds", LIMIT, () -> first.isHeld() || second.isHeld());
            }
        }
        assertThat(resigned).isLessThan(24);
    }

    @Test
    void whoResignsAloneGetsItBackAfterMoreThanOneLook() throws Exception {
        Duration lookEvery = Duration.ofSeconds(1);
        var holding = open(leases().holdOn("feed").lookEvery(lookEvery).start());
        awaitHeld(holding);
        long start = System.nanoTime();
        holding.resign();
        assertThat(holding.isHeld()).isFalse();
        awaitHeld(holding);
        assertThat(since(start)).isGreaterThan(lookEvery);
    }

    @Test
    void resigningAgainAndAgainKeepsEventsInPairsAndNothingHeld() throws Exception {
        var events = new Events();
        var leases = leases();
        var holding = leases.holdOn("feed")
                .lookEvery(Duration.ofMillis(50))
                .listener(events)
                .start();
        for (int i = 0; i < 150; i++) {
            holding.resign();
            TimeUnit.MICROSECONDS.sleep(i * 800L);
        }
        holding.close();
        var seen = events.seen();
        assertThat(seen).hasSizeGreaterThan(10);
        for (int i = 0; i < seen.size(); i++) {
            assertThat(seen.get(i)).isEqualTo(i % 2 == 0 ? "gained" : "released");
        }
        assertThat(seen.size() % 2).isZero();
        Await.until("free", LIMIT, () -> leases.rows().stream().noneMatch(LeaseRow::held));
    }

    @Test
    void itHearsOnlyOfItsOwnLeases() throws Exception {
        var all = new Events();
        var own = new Events();
        var leases = open(Leases.on(database.dataSource()).listener(all).build());
        leases.tryAcquire("feed").lease().orElseThrow().release();
        try (var another = leases.holdOn("another").start()) {
            awaitHeld(another);
            try (var holding = holdOn(leases, own)) {
                awaitHeld(holding);
            }
        }
        assertThat(own.seen()).containsExactly("gained", "released");
        Await.until("all told", LIMIT, () -> all.seen().size() == 6);
    }

    @Test
    void whatIsLostIsToldAndLookedForAgain() throws Exception {
        var events = new Events();
        var holding = holdOn(events);
        awaitHeld(holding);
        Lease lost = holding.lease().orElseThrow();
        database.execute("update leases set holder = 'another', fence = fence + 1,"
                + " expires_at = clock_timestamp() + interval '2 seconds'");
        Await.until("told", LIMIT, () -> events.seen().contains("lost TAKEN_OVER"));
        assertThat(lost.state()).isEqualTo(LeaseState.LOST);
        Await.until("gained again", LIMIT, holding::isHeld);
        assertThat(holding.lease().orElseThrow().fence()).isGreaterThan(lost.fence());
        database.execute("delete from leases");
        Await.until("told", LIMIT, () -> events.seen().contains("lost DELETED"));
        awaitHeld(holding);
        holding.close();
        assertThat(events.seen())
                .containsExactly("gained", "lost TAKEN_OVER", "gained", "lost DELETED", "gained", "released");
    }

    @Test
    void aReleaseThatGoesOnInTheBackgroundIsToldBeforeTheNextGain() throws Exception {
        var events = new Events();
        var holding = holdOn(events);
        awaitHeld(holding);
        Await.until("told", LIMIT, () -> events.seen().contains("gained"));
        try (var other = database.connect()) {
            other.setAutoCommit(false);
            other.createStatement().execute("select * from leases for update");
            holding.resign();
            assertThat(holding.isHeld()).isFalse();
            assertThat(events.seen()).containsExactly("gained");
            other.rollback();
        }
        awaitHeld(holding);
        Await.until("told", LIMIT, () -> events.seen().size() == 3);
        assertThat(events.seen()).containsExactly("gained", "released", "gained");
    }

    @Test
    void aLeaseThatTheUserReleasesIsAsGoodAsResigned() throws Exception {
        var events = new Events();
        var holding = holdOn(events);
        awaitHeld(holding);
        holding.lease().orElseThrow().release();
        assertThat(holding.isHeld()).isFalse();
        awaitHeld(holding);
        Await.until("told", LIMIT, () -> events.seen().size() == 3);
        assertThat(events.seen()).containsExactly("gained", "released", "gained");
    }

    @Test
    void anEmptyPoolMakesItUnconfirmedAndAfterwardsItIsHeldAgainOrAnothers() throws Exception {
        var config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(1);
        var pool = open(new HikariDataSource(config));
        var events = new Events();
        var holding = open(holdOn(brief(pool), events));
        awaitHeld(holding);
        try (var hogged = pool.getConnection()) {
            assertThat(hogged.isValid(30)).as("no connection is held").isTrue();
            Await.until("trusted no more", LIMIT, () -> !holding.isHeld());
            Await.until("told", LIMIT, () -> events.seen().contains("unconfirmed"));
            assertThat(holding.lease()).isPresent();
        }
        Await.until("told", LIMIT, () -> events.seen().contains("reconfirmed"));
        assertThat(events.seen()).containsSubsequence("gained", "unconfirmed", "reconfirmed");
        try (var hogged = pool.getConnection()) {
            assertThat(hogged.isValid(30)).isTrue();
            var other = holdOn();
            awaitHeld(other);
            assertThat(holding.isHeld()).isFalse();
        }
        Await.until("told", LIMIT, () -> events.seen().contains("lost TAKEN_OVER"));
        assertThat(holding.isHeld()).isFalse();
    }

    @Test
    void noThrowableOfAListenerOrADriverEndsTheLoop() throws Exception {
        var isBroken = new AtomicBoolean(true);
        var broken = new CountDownLatch(3);
        var source = new ForwardingDataSource(database.dataSource()) {
            @Override
            public Connection getConnection() throws SQLException {
                if (isBroken.get() && Thread.currentThread().getName().startsWith("leasehold-sender")) {
                    broken.countDown();
                    throw new NoClassDefFoundError("the driver has gone mad");
                }
                return super.getConnection();
            }
        };
        leases().close();
        var mad = open(Leases.on(source)
                .ttl(TTL)
                .renewEvery(RENEW_EVERY)
                .schema(SchemaMode.NONE)
                .build());
        var throwing = new Events() {
            @Override
            void add(String event) {
                super.add(event);
                throw new NoClassDefFoundError("the listener has gone mad");
            }
        };
        var holding = open(holdOn(mad, throwing));
        assertThat(broken.await(30, TimeUnit.SECONDS)).isTrue();
        isBroken.set(false);
        awaitHeld(holding);
        holding.resign();
        awaitHeld(holding);
        database.execute("delete from leases");
        Await.until("told", LIMIT, () -> throwing.seen().contains("lost DELETED"));
        awaitHeld(holding);
    }

    @Test
    void closingIsQuickForWhoDoesNotHold() throws Exception {
        awaitHeld(holdOn());
        var others = new ArrayList<Holding>();
        for (int i = 0; i < 20; i++) {
            others.add(leases().holdOn("feed").lookEvery(TTL).start());
        }
        long start = System.nanoTime();
        for (Holding other : others) {
            other.close();
            other.close();
        }
        assertThat(since(start))
                .as("twenty waits, or a look, would take longer")
                .isLessThan(Duration.ofSeconds(10));
    }

    /** Five seconds it would take, each time. The best of several, for a busy machine may hold up any one of them. */
    @Test
    void closingDoesNotWaitForALookThatIsUnderWay() throws Exception {
        leases().close();
        Duration quickest = closingDuringALook();
        for (int i = 0; i < 4 && quickest.compareTo(QUICK) >= 0; i++) {
            quickest = closingDuringALook();
        }
        assertThat(quickest).isLessThan(QUICK);
    }

    private Duration closingDuringALook() throws Exception {
        var isStuck = new CountDownLatch(1);
        var leases = open(Leases.on(new ForwardingDataSource(database.dataSource()) {
                    @Override
                    public Connection getConnection() throws SQLException {
                        isStuck.countDown();
                        try {
                            TimeUnit.MINUTES.sleep(1);
                        } catch (InterruptedException e) {
                            throw new SQLException(e);
                        }
                        return super.getConnection();
                    }
                })
                .schema(SchemaMode.NONE)
                .build());
        var holding = leases.holdOn("feed").start();
        assertThat(isStuck.await(30, TimeUnit.SECONDS)).isTrue();
        long start = System.nanoTime();
        holding.close();
        return since(start);
    }

    @Test
    void closingIsBoundedWithTheDatabaseAwayAndEvenThenTheEndIsTold() throws Exception {
        try (var wire = Wire.to(database)) {
            var leases = brief(TestDatabase.dataSource(wire.jdbcUrl(database)));
            var events = new Events();
            var holding = holdOn(leases, events);
            awaitHeld(holding);
            var waiting = leases.holdOn("feed").lookEvery(Duration.ofMillis(50)).start();
            wire.become(Wire.Mode.SILENT);
            Await.until("unconfirmed", LIMIT, () -> events.seen().contains("unconfirmed"));
            long start = System.nanoTime();
            waiting.close();
            holding.close();
            assertThat(since(start)).isLessThan(BRIEF.multipliedBy(6));
            Await.until("told", LIMIT, () -> events.seen().contains("released"));
            assertThat(events.seen()).startsWith("gained").endsWith("released");
        }
    }

    @Test
    void anInterruptedThreadClosesAsAnyOtherAndStaysInterrupted() throws Exception {
        var holding = holdOn();
        awaitHeld(holding);
        Thread.currentThread().interrupt();
        holding.close();
        assertThat(Thread.interrupted()).isTrue();
        awaitReleased();
    }

    /** At once, but where a renewal had a row locked for a moment; and before any of them could run out. */
    private void awaitReleased() throws Exception {
        var looking = leases();
        Await.until("released", TTL.dividedBy(2), () -> looking.rows().stream().noneMatch(LeaseRow::held));
    }

    @Test
    void aListenerMayCloseOrResign() throws Exception {
        var holding = new CompletableFuture<Holding>();
        var took = new AtomicReference<Duration>();
        var listener = new LeaseListener() {
            @Override
            public void lost(Lease lease, LossReason reason) {
                long start = System.nanoTime();
                holding.join().resign();
                holding.join().close();
                took.set(since(start));
            }
        };
        holding.complete(leases().holdOn("feed").listener(listener).start());
        awaitHeld(holding.join());
        database.execute("delete from leases");
        Await.until("closed by its listener", LIMIT, () -> took.get() != null);
        assertThat(took.get()).as("three bounds would take longer").isLessThan(Duration.ofSeconds(10));
        assertThat(holding.join().isHeld()).isFalse();
    }

    @Test
    void theEndOfTheLeasesEndsTheirHoldingsWhichReleaseFirst() throws Exception {
        var leases = leases();
        var events = new Events();
        var holdings = new ArrayList<Holding>();
        for (int i = 0; i < 10; i++) {
            holdings.add(leases.holdOn("ending-" + i).listener(events).start());
        }
        for (Holding holding : holdings) {
            awaitHeld(holding);
        }
        leases.close();
        assertThat(holdings).noneMatch(Holding::isHeld);
        assertThat(events.seen()).hasSize(20).endsWith("released");
        awaitReleased();
        assertThat(leases().rows()).hasSize(10);
        assertThatExceptionOfType(LeaseException.class)
                .isThrownBy(() -> leases.holdOn("feed").start())
                .withMessage("lease feed cannot be held on to: the leases are closed");
        Await.until(
                "no thread is left",
                LIMIT,
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("leasehold-holding-ending-")));
    }

    @Test
    void itLooksAsOftenAsLeasesAreRenewedUnlessToldOtherwise() {
        var leases = brief(database.dataSource());
        assertThat(leases.holdOn("feed").lookEvery()).isEqualTo(BRIEF.dividedBy(4));
        assertThat(leases.holdOn("feed").lookEvery(BRIEF).lookEvery()).isEqualTo(BRIEF);
        assertThat(leases.holdOn("feed").lookEvery(Duration.ofMillis(50))).isNotNull();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> leases.holdOn("feed").lookEvery(Duration.ofMillis(49)))
                .withMessage("lookEvery is PT0.049S, but must be 50 ms to the ttl, PT3S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> leases.holdOn("feed").lookEvery(BRIEF.plusNanos(1)))
                .withMessageContaining("lookEvery is PT3.000000001S");
        assertThatIllegalArgumentException().isThrownBy(() -> leases.holdOn(""));
    }
}
