package dev.leasehold.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Acquisition;
import dev.leasehold.Await;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leases;
import dev.leasehold.LossPolicy;
import dev.leasehold.Schedule;
import dev.leasehold.SlotRequest;
import dev.leasehold.Stamp;
import dev.leasehold.testkit.ForwardingDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What follows a run that threw, took too long, lost its lease, or killed its holder. */
class AfterFailuresTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofDays(300);
    private static final Duration REST = Duration.ofMinutes(30);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final List<String> begun = new CopyOnWriteArrayList<>();
    private final Instances instances = new Instances(database);

    @AfterEach
    void close() {
        instances.close();
    }

    private Round.Builder round() {
        return Round.named("sweep").every(LONG);
    }

    private final AtomicBoolean isAway = new AtomicBoolean();
    private final DataSource awayAtTimes = new ForwardingDataSource(database.dataSource()) {
        @Override
        public Connection getConnection() throws SQLException {
            if (isAway.get()) {
                throw new SQLException("away");
            }
            return super.getConnection();
        }
    };

    private static final RoundWork FAILS = context -> {
        throw new IllegalStateException("broken");
    };

    @Test
    void aSlotWhoseRunThrewCounts() throws Exception {
        ManualRounds rounds = instances.byHand(instances.leases(), round().work(FAILS));
        assertThat(rounds.pass("sweep")).hasValueSatisfying(run -> {
            assertThat(run.outcome()).isEqualTo(RoundOutcome.FAILED);
            assertThat(run.counted()).isTrue();
            assertThat(run.error()).contains("java.lang.IllegalStateException: broken");
        });
        assertThat(instances.counted()).isEqualTo(1);
        assertThat(rounds.pass("sweep")).isEmpty();
    }

    @Test
    void withARetryItRestsUncountedAndIsTriedAgainByAnybody() throws Exception {
        var leases = instances.leases();
        var other = instances.leases();
        ManualRounds failing = instances.byHand(leases, round().retryAfter(REST).work(FAILS));
        ManualRounds fine = instances.byHand(other, round().retryAfter(REST).work(context -> {
            assertThat(context.previousDied()).as("a rest is no death").isFalse();
            begun.add("again");
        }));
        assertThat(failing.pass("sweep"))
                .hasValueSatisfying(run -> assertThat(run.counted()).isFalse());
        assertThat(other.tryAcquireSlot("sweep", Schedule.every(LONG)))
                .isInstanceOfSatisfying(Acquisition.Busy.class, busy -> {
                    assertThat(busy.holder()).isEmpty();
                    assertThat(busy.timeLeft().orElseThrow()).isBetween(Duration.ZERO, REST);
                });
        assertThat(leases.rows())
                .singleElement()
                .satisfies(row -> assertThat(row.held()).isFalse());
        instances.runOut("sweep");
        assertThat(fine.pass("sweep")).as("tried again").isPresent();
        assertThat(begun).containsExactly("again");
        assertThat(instances.counted()).isEqualTo(1);
    }

    /** The loop itself comes back after the rest, long before its next slot. */
    @Test
    void aRunningRoundTriesAgainByItself() throws Exception {
        instances.start(
                instances.leases(),
                "a",
                round().retryAfter(Duration.ofMillis(300)).work(context -> {
                    begun.add("run");
                    if (begun.size() < 3) {
                        throw new IllegalStateException("not yet");
                    }
                }));
        Await.until("the third try", LIMIT, () -> instances.counted() == 1);
        assertThat(begun).hasSize(3);
    }

    /** A holder that dies, and whose lease has run out. */
    private void acquireAndDie() throws SQLException {
        var mortal = instances.leases();
        assertThat(mortal.tryAcquireSlot("sweep", Schedule.every(LONG)).lease()).isPresent();
        mortal.close();
        instances.runOut("sweep");
    }

    @Test
    void holdersThatDieOneAfterTheOtherMakeTheSlotCountAsFailedAtTheLimit() throws Exception {
        for (int i = 0; i < 2; i++) {
            acquireAndDie();
        }
        var told = new CopyOnWriteArrayList<RoundRun>();
        ManualRounds rounds = instances.byHand(
                instances.leases(),
                builder -> builder.listener(new RoundListener() {
                    @Override
                    public void died(RoundRun run) {
                        told.add(run);
                    }
                }),
                round().deathLimit(2).work(context -> begun.add("run")));
        RoundRun given = rounds.pass("sweep").orElseThrow();
        assertThat(begun).isEmpty();
        assertThat(given.outcome()).isEqualTo(RoundOutcome.GIVEN_UP);
        assertThat(given.counted()).isTrue();
        assertThat(told).singleElement().satisfies(dead -> {
            assertThat(dead.outcome()).isEqualTo(RoundOutcome.DIED);
            assertThat(dead.fence()).isLessThan(given.fence());
        });
        assertThat(instances.counted()).isEqualTo(1);
        assertThat(rounds.passDue("sweep"))
                .as("the next one runs")
                .hasValueSatisfying(run -> assertThat(run.outcome()).isEqualTo(RoundOutcome.DONE));
    }

    @Test
    void ofThreeThatDieTheThirdIsTheLastUnlessAnotherLimitIsSet() throws Exception {
        ManualRounds rounds = instances.byHand(instances.leases(), round().work(context -> begun.add("run")));
        acquireAndDie();
        acquireAndDie();
        assertThat(rounds.pass("sweep"))
                .hasValueSatisfying(run -> assertThat(run.begun()).isTrue());
        database.execute("update leases set done_slot = null");
        for (int i = 0; i < 3; i++) {
            acquireAndDie();
        }
        assertThat(rounds.pass("sweep")).hasValueSatisfying(run -> {
            assertThat(run.outcome()).isEqualTo(RoundOutcome.GIVEN_UP);
            assertThat(run.begun()).isFalse();
        });
        assertThat(begun).containsExactly("run");
    }

    /** Who gives the lease back had begun nothing, so the next one is still the third. */
    @Test
    void whoBeginsNothingDoesNotEndTheRowOfDeaths() throws Exception {
        var request = new SlotRequest("sweep", Schedule.every(LONG));
        acquireAndDie();
        acquireAndDie();
        for (Stamp stamp : Stamp.values()) {
            instances
                    .leases()
                    .tryAcquireSlot(new SlotRequest("sweep", request.schedule(), stamp))
                    .lease()
                    .orElseThrow()
                    .abandon();
        }
        Leases next = instances.leases();
        assertThat(next.tryAcquireSlot(request).lease()).hasValueSatisfying(lease -> {
            assertThat(lease.deaths()).isEqualTo(2);
            assertThat(lease.slot().orElseThrow().died())
                    .as("told by the one before")
                    .isEmpty();
            lease.release();
        });
        assertThat(next.tryAcquireSlot(request).lease())
                .hasValueSatisfying(lease -> assertThat(lease.deaths()).isZero());
    }

    @Test
    void belowTheLimitItRunsAndKnowsThatTheOneBeforeDied() throws Exception {
        acquireAndDie();
        ManualRounds rounds = instances.byHand(instances.leases(), round().work(context -> {
            assertThat(context.previousDied()).isTrue();
            begun.add("run");
        }));
        assertThat(rounds.pass("sweep")).as("taken over").isPresent();
        assertThat(begun).containsExactly("run");
        rounds.passDue("sweep");
        assertThat(rounds.status().get(0).failures())
                .as("the second found no death, and failed by that")
                .isEqualTo(1);
    }

    @Test
    void aRunThatTakesTooLongIsInterruptedAndItsThreadIsLeftClean() throws Exception {
        ManualRounds rounds = instances.byHand(
                instances.leases(),
                round().runTimeout(Duration.ofMillis(200)).work(context -> new CountDownLatch(1).await()));
        assertThat(rounds.pass("sweep")).hasValueSatisfying(run -> {
            assertThat(run.outcome()).isEqualTo(RoundOutcome.TIMED_OUT);
            assertThat(run.counted()).isTrue();
            assertThat(run.duration()).isGreaterThanOrEqualTo(Duration.ofMillis(200));
        });
        assertThat(Thread.interrupted()).isFalse();
        assertThat(database.queryForLong("select count(*) from leases where expires_at = 'epoch'"))
                .as("released on a thread that had been interrupted")
                .isEqualTo(1);
    }

    @Test
    void aRunThatIgnoresItsTimeoutKeepsItsLeaseUntilItEnds() throws Exception {
        var leases = instances.leases(Duration.ofSeconds(3));
        ManualRounds rounds = instances.byHand(
                leases, round().runTimeout(Duration.ofMillis(100)).work(context -> {
                    long end = System.nanoTime() + Duration.ofSeconds(5).toNanos();
                    while (System.nanoTime() < end) {
                        Thread.interrupted();
                        LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
                    }
                    Thread.interrupted();
                    Await.until("held, though by now a first ttl is over", LIMIT, context::isHeld);
                }));
        assertThat(rounds.pass("sweep"))
                .hasValueSatisfying(run -> assertThat(run.outcome()).isEqualTo(RoundOutcome.DONE));
    }

    private void takeOver() throws SQLException {
        database.execute("update leases set holder = 'another', fence = fence + 1,"
                + " expires_at = now() + interval '1 hour' where name = 'sweep'");
    }

    @Test
    void aLostLeaseInterruptsItsRunIfThatWasAskedFor() throws Exception {
        ManualRounds rounds = instances.byHand(
                instances.leases(Duration.ofSeconds(6)),
                round().onLoss(LossPolicy.INTERRUPT).work(context -> {
                    takeOver();
                    new CountDownLatch(1).await();
                }));
        assertThat(rounds.pass("sweep")).hasValueSatisfying(run -> {
            assertThat(run.outcome()).isEqualTo(RoundOutcome.LOST);
            assertThat(run.counted()).isFalse();
            assertThat(run.error().orElseThrow()).contains(LeaseLostException.class.getSimpleName());
        });
        assertThat(instances.counted()).isZero();
    }

    @Test
    void aLostLeaseLetsItsRunGoOnAndCountsNothing() throws Exception {
        ManualRounds rounds = instances.byHand(instances.leases(), round().work(context -> {
            takeOver();
            begun.add("to the end");
        }));
        assertThat(rounds.pass("sweep"))
                .hasValueSatisfying(run -> assertThat(run.outcome()).isEqualTo(RoundOutcome.LOST));
        assertThat(begun).containsExactly("to the end");
        assertThat(instances.counted()).isZero();
    }

    /** Nobody has taken it over, and nobody may believe that it was done. */
    @Test
    void workThatGivesUpBecauseItCannotKnowThatItHoldsItsLeaseLeavesTheSlotDue() throws Exception {
        try (var leases = Leases.on(awayAtTimes).ttl(Duration.ofSeconds(3)).build()) {
            ManualRounds rounds = instances.byHand(leases, round().work(context -> {
                begun.add("run");
                isAway.set(begun.size() == 1);
                Await.until("not held", LIMIT, () -> begun.size() > 1 || !context.isHeld());
                isAway.set(false);
                context.checkHeld();
            }));
            assertThat(rounds.pass("sweep")).hasValueSatisfying(run -> {
                assertThat(run.outcome()).isEqualTo(RoundOutcome.LOST);
                assertThat(run.counted()).isFalse();
            });
            assertThat(instances.counted()).isZero();
            Await.until("it is run again", LIMIT, () -> rounds.pass("sweep").isPresent() && instances.counted() == 1);
        }
    }

    @Test
    void manualRoundsThatAreClosedBeginNothing() throws Exception {
        ManualRounds rounds = instances.byHand(
                instances.leases(), round().runTimeout(Duration.ofMinutes(1)).work(context -> begun.add("run")));
        rounds.close();
        assertThat(rounds.pass("sweep")).isEmpty();
        assertThat(rounds.runNow("sweep")).isEmpty();
        assertThat(begun).isEmpty();
    }

    @Test
    void manualRoundsThatAreClosedChangeNoSlot() throws Exception {
        ManualRounds rounds = instances.byHand(instances.leases(), round().work(context -> begun.add("run")));
        assertThat(rounds.pass("sweep")).isPresent();
        String slot = database.queryForString("select done_slot::text from leases");
        rounds.close();
        assertThat(rounds.passDue("sweep")).isEmpty();
        assertThat(database.queryForString("select done_slot::text from leases"))
                .isEqualTo(slot);
    }

    /**
     * The slot that comes first has its run: a rest never outlasts it. A slot may have its second try before its end,
     * if the first came early enough.
     */
    @Test
    void aRetryNeverKeepsTheNextSlotFromItsRun() throws Exception {
        var firstRuns = new ConcurrentSkipListMap<Instant, Duration>();
        instances.start(
                instances.leases(),
                builder -> builder.listener(new RoundListener() {
                    @Override
                    public void ended(RoundRun run) {
                        firstRuns.putIfAbsent(run.slot().orElseThrow(), run.lateness());
                    }
                }),
                Round.named("sweep")
                        .every(Duration.ofSeconds(2))
                        .retryAfter(Duration.ofMillis(1_900))
                        .work(FAILS));
        Await.until("five slots", LIMIT, () -> firstRuns.size() >= 5);
        assertThat(firstRuns.tailMap(firstRuns.firstKey(), false).values())
                .filteredOn(late -> late.compareTo(Duration.ofMillis(1_500)) >= 0)
                .as(
                        "first runs of slots that are late, but for one, should the machine stand still; rests that outlast it make all late")
                .hasSizeLessThanOrEqualTo(1);
    }

    /** As when the process is frozen between the acquisition and the work. */
    @Test
    void aRunWhoseLeaseIsNotHeldAnyMoreIsNotBegunAndItsSlotStaysDue() throws Exception {
        acquireAndDie();
        try (var leases = Leases.on(awayAtTimes).ttl(Duration.ofSeconds(3)).build()) {
            var delay = new RoundListener() {
                @Override
                public void died(RoundRun run) {
                    isAway.set(true);
                    try {
                        Await.until(
                                "not held", LIMIT, () -> !leases.held().get(0).isHeld());
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    } finally {
                        isAway.set(false);
                    }
                }
            };
            ManualRounds rounds = instances.byHand(
                    leases, builder -> builder.listener(delay), round().work(context -> begun.add("run")));
            var runs = new CopyOnWriteArrayList<RoundRun>();
            Await.until("taken over", LIMIT, () -> {
                rounds.pass("sweep").ifPresent(runs::add);
                return !runs.isEmpty();
            });
            assertThat(runs.get(0).outcome()).isEqualTo(RoundOutcome.LOST);
            assertThat(runs.get(0).counted()).isFalse();
            assertThat(runs.get(0).begun()).isFalse();
            assertThat(begun).isEmpty();
            Await.until("it is run", LIMIT, () -> rounds.pass("sweep").isPresent() && instances.counted() == 1);
            assertThat(begun).contains("run");
        }
    }

    /** It was confirmed again, after the work had seen that it was not held. */
    @Test
    void workThatGaveUpIsNotCountedEvenIfItsLeaseIsHeldAgain() throws Exception {
        try (var leases = Leases.on(awayAtTimes).ttl(Duration.ofSeconds(3)).build()) {
            ManualRounds rounds = instances.byHand(leases, round().work(context -> {
                isAway.set(true);
                Await.until("not held", LIMIT, () -> !context.isHeld());
                try {
                    context.checkHeld();
                } finally {
                    isAway.set(false);
                    Await.until("held again", LIMIT, context::isHeld);
                }
            }));
            assertThat(rounds.pass("sweep")).hasValueSatisfying(run -> {
                assertThat(run.outcome()).isEqualTo(RoundOutcome.LOST);
                assertThat(run.counted()).isFalse();
            });
            assertThat(instances.counted()).isZero();
        }
    }

    @Test
    void anotherLeaseThatWasLostIsAFailureLikeAnyOther() throws Exception {
        var leases = instances.leases();
        ManualRounds rounds = instances.byHand(leases, round().work(context -> {
            try (var other = leases.tryAcquire("other").lease().orElseThrow()) {
                other.release();
                other.checkHeld();
            }
        }));
        assertThat(rounds.pass("sweep"))
                .hasValueSatisfying(run -> assertThat(run.outcome()).isEqualTo(RoundOutcome.FAILED));
    }

    /** The release waits for the lock in the background; until it is through, nobody knows that the slot counts. */
    @Test
    void aReleaseThatIsHeldUpCountsTheSlotLater() throws Exception {
        try (Connection other = database.connect()) {
            other.setAutoCommit(false);
            ManualRounds rounds = instances.byHand(instances.leases(), round().work(context -> {
                other.createStatement().execute("select * from leases where name = 'sweep' for update");
            }));
            assertThat(rounds.pass("sweep")).hasValueSatisfying(run -> {
                assertThat(run.outcome()).isEqualTo(RoundOutcome.DONE);
                assertThat(run.counted()).isFalse();
            });
            assertThat(instances.counted()).isZero();
            other.rollback();
            Await.until("it counts", LIMIT, () -> instances.counted() == 1);
        }
    }

    /** A lease that was won must not be renewed for ever because its schedule cannot be asked. */
    @Test
    void aScheduleThatThrowsAfterTheRunLeavesNoLeaseBehind() throws Exception {
        var isBroken = new AtomicBoolean();
        Schedule schedule = Schedule.of("breaks", after -> {
            if (isBroken.get()) {
                throw new IllegalStateException("broken");
            }
            return after.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
        });
        var rounds = instances.start(
                instances.leases(), "a", Round.named("sweep").schedule(schedule).work(context -> {
                    begun.add("run");
                    isBroken.set(true);
                }));
        Await.until("it is in trouble", LIMIT, () -> !rounds.status().get(0).isHealthy());
        assertThat(rounds.status().get(0).trouble().orElseThrow()).contains("broken");
        assertThat(database.queryForLong("select count(*) from leases where expires_at > 'epoch'"))
                .isZero();
        isBroken.set(false);
        Await.until("it goes on", LIMIT, () -> begun.size() >= 2);
        Await.until(
                "nothing is left running", LIMIT, () -> !rounds.status().get(0).running());
    }
}
