package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many threads of one process at once, and threads that are interrupted. */
class ManyThreadsTest {

    private static final int NAMES = 2000;
    private static final int THREADS = 50;
    private static final int INTERRUPTS = 1000;
    private static final long SHORTEST_SPREAD = TimeUnit.MILLISECONDS.toNanos(3);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final HikariDataSource pool = pool();

    private HikariDataSource pool() {
        var config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(4);
        return new HikariDataSource(config);
    }

    @AfterEach
    void close() {
        pool.close();
    }

    private long held() throws Exception {
        return database.queryForLong("select count(*) from leases where expires_at >= clock_timestamp()");
    }

    @Test
    void twoThousandDifferentNamesDoNotExcludeEachOther() throws Exception {
        var threads = Executors.newFixedThreadPool(THREADS);
        var barrier = new CyclicBarrier(THREADS);
        try (var leases = Leases.on(pool).build()) {
            var acquired = new ArrayList<Future<List<Lease>>>();
            for (int thread = 0; thread < THREADS; thread++) {
                int first = thread;
                acquired.add(threads.submit(() -> {
                    var mine = new ArrayList<Lease>();
                    barrier.await(20, TimeUnit.SECONDS);
                    for (int i = first; i < NAMES; i += THREADS) {
                        leases.tryAcquire("lease " + i).lease().ifPresent(mine::add);
                    }
                    return mine;
                }));
            }
            var all = new ArrayList<Lease>();
            for (var one : acquired) {
                all.addAll(one.get());
            }
            assertThat(all).hasSize(NAMES).allMatch(Lease::isHeld);
            assertThat(all.stream().map(Lease::holder)).doesNotHaveDuplicates();
            assertThat(held()).isEqualTo(NAMES);
        } finally {
            threads.shutdownNow();
        }
    }

    /**
     * Interrupts come from before the call to well after an ordinary answer: the slower the answers, the later. A name that has no row yet is asked for alone;
     * the others in batches, which an interrupt only leaves.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anInterruptAtAnyPointOfAnAcquireLeavesNothingThatIsRenewedForEver(boolean isKnown) throws Exception {
        var ttl = Duration.ofSeconds(20);
        long longest = SHORTEST_SPREAD;
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        var random = new Random(seed);
        try (var leases = Leases.on(pool).ttl(ttl).build()) {
            for (int i = 0; isKnown && i < INTERRUPTS; i++) {
                leases.tryAcquire("lease " + i).lease().orElseThrow().release();
            }
            var caller = Thread.currentThread();
            var interrupter = Executors.newSingleThreadExecutor();
            int answered = 0;
            int thrown = 0;
            for (int i = 0; i < INTERRUPTS; i++) {
                long after = random.nextLong(longest);
                Future<?> interrupt = interrupter.submit(() -> {
                    LockSupport.parkNanos(after);
                    caller.interrupt();
                });
                try {
                    var lease = leases.tryAcquire("lease " + i).lease().orElseThrow();
                    answered++;
                    longest = Math.max(longest - longest / 8, SHORTEST_SPREAD);
                    awaitInterrupt();
                    assertThat(lease.isHeld()).isTrue();
                    assertThat(lease.release()).isNotEqualTo(ReleaseOutcome.LOST);
                } catch (LeaseException interrupted) {
                    thrown++;
                    longest += longest / 8;
                    assertThat(Thread.currentThread().isInterrupted())
                            .as("interrupted still, at %d of seed %d", i, seed)
                            .isTrue();
                }
                assertThat(Thread.interrupted())
                        .as("interrupted still, at %d of seed %d", i, seed)
                        .isTrue();
                interrupt.get();
            }
            interrupter.shutdownNow();
            System.out.printf("%d answered, %d thrown%n", answered, thrown);
            assertThat(answered).isPositive();
            assertThat(thrown).isPositive();
            Await.until(
                    "every name is free again, seed " + seed,
                    ttl.multipliedBy(3),
                    () -> held() == 0 && leases.rows().stream().noneMatch(LeaseRow::held));
            for (int i = 0; i < INTERRUPTS; i += 100) {
                assertThat(leases.tryAcquire("lease " + i).lease()).isPresent();
            }
        }
    }

    private static void awaitInterrupt() {
        while (!Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }
}
