package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.leasehold.testkit.ForwardingDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rows of names that are used no more. */
class CleanUpTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final AtomicInteger borrowed = new AtomicInteger();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final Leases leases = leases();

    private Leases leases() {
        var leases = Leases.on(new ForwardingDataSource(database.dataSource()) {
                    @Override
                    public Connection getConnection() throws SQLException {
                        borrowed.incrementAndGet();
                        return super.getConnection();
                    }
                })
                .build();
        opened.add(leases);
        return leases;
    }

    /** As if all that was done until now had been done so long ago. */
    private void later(String interval) throws SQLException {
        database.execute("""
                update leases
                   set taken_at = taken_at - interval '%1$s',
                       expires_at = case when expires_at = 'epoch' then 'epoch'
                                         else expires_at - interval '%1$s' end,
                       fence = fence - (extract(epoch from interval '%1$s') * 1000000)::bigint
                """.formatted(interval));
    }

    private Lease acquire(String name) {
        return leases.tryAcquire(name).lease().orElseThrow();
    }

    private List<String> names() {
        return leases.rows().stream().map(LeaseRow::name).toList();
    }

    @BeforeEach
    void clean() throws SQLException {
        database.execute("truncate leases");
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable closeable : opened) {
            closeable.close();
        }
    }

    @Test
    void whatIsReleasedExpiredOrRestedForThatLongIsDeletedAndNothingElse() throws Exception {
        acquire("released long ago").release();
        acquire("expired long ago");
        acquire("rested long ago");
        database.execute("update leases set expires_at = now() where name = 'expired long ago'");
        database.execute("update leases set expires_at = now(), holder = '-' where name = 'rested long ago'");
        acquire("expired lately");
        acquire("rests yet");
        acquire("never expires");
        acquire("held for long");
        later("61 minutes");
        database.execute("update leases set expires_at = now() - interval '59 minutes' where name = 'expired lately'");
        database.execute(
                "update leases set expires_at = now() + interval '1 hour', holder = '-' where name = 'rests yet'");
        database.execute("update leases set expires_at = 'infinity' where name = 'never expires'");
        database.execute("update leases set expires_at = now() + interval '1 minute' where name = 'held for long'");
        acquire("released lately").release();
        acquire("held");
        assertThat(leases.cleanUp(HOUR)).isEqualTo(3);
        assertThat(names())
                .containsExactlyInAnyOrder(
                        "expired lately", "rests yet", "never expires", "held for long", "released lately", "held");
        assertThat(leases.cleanUp(HOUR)).isZero();
    }

    @Test
    void aRoundKeepsItsRowAndWithItTheSlotsThatWereCounted() throws Exception {
        var slot = leases.tryAcquireSlot("round", Grid.every(Duration.ofDays(100)))
                .lease()
                .orElseThrow();
        assertThat(slot.releaseDone()).isEqualTo(ReleaseOutcome.RELEASED);
        later("3 hours");
        assertThat(leases.cleanUp(HOUR)).isZero();
        assertThat(leases.tryAcquireSlot("round", Grid.every(Duration.ofDays(100))))
                .isInstanceOf(Acquisition.NotDue.class);
    }

    @Test
    void aNameThatComesBackHasALargerFence() throws Exception {
        Lease before = acquire("order-1");
        before.release();
        acquire("order-2").release();
        later("3 hours");
        long ahead = before.fence() + Duration.ofHours(2).toNanos() / 1000;
        database.execute("update leases set fence = " + ahead + " where name = 'order-2'");
        assertThat(leases.cleanUp(HOUR)).isEqualTo(1);
        assertThat(names()).as("whose fence is ahead of the clock").containsExactly("order-2");
        assertThat(acquire("order-1").fence()).isGreaterThan(before.fence());
        assertThat(acquire("order-2").fence()).isGreaterThan(ahead);
    }

    @Test
    void aThousandAreDeletedAtATimeEachByAStatementOfItsOwn() throws Exception {
        database.execute("""
                insert into leases (name, holder, taken_at, expires_at, fence)
                select 'order-' || i, 'h', now() - interval '2 hours', 'epoch', i
                  from generate_series(1, 2500) as i
                """);
        int before = borrowed.get();
        assertThat(leases.cleanUp(HOUR)).isEqualTo(2500);
        assertThat(borrowed.get() - before).isEqualTo(3);
        assertThat(names()).isEmpty();
    }

    @Test
    void aLockedRowIsLeftAloneAtOnce() throws Exception {
        acquire("locked").release();
        acquire("free").release();
        later("2 hours");
        try (var other = database.connect()) {
            other.setAutoCommit(false);
            other.createStatement().execute("select * from leases where name = 'locked' for share");
            assertThat(leases.cleanUp(HOUR)).isEqualTo(1);
            other.rollback();
        }
        assertThat(names()).containsExactly("locked");
    }

    @Test
    void anAgeOutOfReasonIsRefusedByItsValueAndTheRule() {
        assertThat(leases.cleanUp(Duration.ofMinutes(1))).isZero();
        assertThat(leases.cleanUp(Duration.ofDays(36_500))).isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> leases.cleanUp(Duration.ofSeconds(59)))
                .withMessage("unusedFor is PT59S, but must be 1 minute to 36,500 days");
        assertThatIllegalArgumentException().isThrownBy(() -> leases.cleanUp(Duration.ofDays(36_501)));
    }

    @Test
    void aDatabaseThatSaysNoIsAnException() throws Exception {
        database.execute("drop table leases");
        assertThatExceptionOfType(LeaseException.class)
                .isThrownBy(() -> leases.cleanUp(HOUR))
                .withMessageStartingWith("the clean-up of unused leases ended after 0 rows: ");
    }

    /**
     * Rows are made to look old all the time, also while they are held, of which only the expiry counts; several threads
     * acquire them, and two clean up.
     */
    @Test
    void itGoesOnBesideThoseWhoAcquireTheSameNames() throws Exception {
        int before = database.serverLog().size();
        int names = 5;
        int hands = 200;
        int enough = 20;
        var inside = new AtomicIntegerArray(names);
        var fences = new long[names];
        var isOver = new AtomicBoolean();
        var deleted = new AtomicInteger();
        var executor = Executors.newCachedThreadPool();
        var others = List.of(leases, leases());
        try {
            var background = new ArrayList<Future<Boolean>>();
            background.add(executor.submit(() -> {
                while (!isOver.get()) {
                    database.execute("update leases set taken_at = taken_at - interval '1 day',"
                            + " fence = least(fence, 1) where expires_at = 'epoch'");
                }
                return true;
            }));
            for (Leases one : others) {
                background.add(executor.submit(() -> {
                    while (!isOver.get()) {
                        deleted.addAndGet((int) one.cleanUp(HOUR));
                    }
                    return true;
                }));
            }
            var workers = new ArrayList<Future<Boolean>>();
            for (int i = 0; i < 6; i++) {
                int me = i;
                workers.add(executor.submit(() -> {
                    for (int turn = 0; turn < hands || deleted.get() <= enough; turn++) {
                        int n = (turn + me) % names;
                        others.get(me % 2).tryRun("order-" + n, lease -> {
                            assertThat(inside.incrementAndGet(n)).isEqualTo(1);
                            synchronized (fences) {
                                assertThat(lease.fence()).isGreaterThan(fences[n]);
                                fences[n] = lease.fence();
                            }
                            lease.checkHeld();
                            assertThat(inside.decrementAndGet(n)).isZero();
                        });
                    }
                    return true;
                }));
            }
            for (var worker : workers) {
                assertThat(worker.get(60, TimeUnit.SECONDS)).isTrue();
            }
            isOver.set(true);
            for (var one : background) {
                assertThat(one.get()).isTrue();
            }
        } finally {
            isOver.set(true);
            executor.shutdownNow();
        }
        assertThat(deleted.get()).isGreaterThan(enough);
        List<String> log = database.serverLog();
        assertThat(log.subList(before, log.size()))
                .noneMatch(line -> line.contains("ERROR") && line.contains("order-"))
                .noneMatch(line -> line.contains("leases_pkey"))
                .noneMatch(line -> line.contains("deadlock"));
    }
}
