package dev.leasehold.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Await;
import dev.leasehold.Leases;
import dev.leasehold.Schedule;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What rounds log, and how often. Reads the log of its JVM, and so runs alone. */
@Isolated
class RoundLogsTest {

    private static final Duration LONG = Duration.ofDays(300);
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Instances instances = new Instances(database);
    private final Leases leases = instances.leases();
    private final CapturedLog log = new CapturedLog();

    @AfterEach
    void close() {
        instances.close();
        log.close();
    }

    private List<String> lines(String text) {
        return log.lines(text);
    }

    @Test
    void eachRunThatFailedHasItsLine() {
        RoundWork undone = context -> {
            try (Connection connection = database.connect()) {
                connection.setAutoCommit(false);
                context.finish(connection);
                connection.rollback();
            }
        };
        List<RoundWork> works = List.of(
                undone,
                context -> context.lease().releaseDone(),
                context -> context.lease().close(),
                context -> {});
        for (int i = 0; i < works.size(); i++) {
            String name = "fails-" + i;
            RoundRun run = instances
                    .byHand(
                            leases,
                            Round.named(name)
                                    .every(LONG)
                                    .promise(Promise.EXACTLY_ONCE)
                                    .work(works.get(i)))
                    .pass(name)
                    .orElseThrow();
            assertThat(run.outcome()).isEqualTo(RoundOutcome.FAILED);
            assertThat(lines("round " + name))
                    .singleElement()
                    .satisfies(line -> assertThat(line)
                            .contains("ERROR")
                            .contains(name + " of slot " + run.slot().orElseThrow() + " FAILED"));
        }
        assertThat(lines("fails-0").get(0)).contains("not committed");
        assertThat(lines("fails-1").get(0)).contains("released the round's lease itself");
    }

    @Test
    void onlyWhatHappenedIsSaidOfAPauseAndItsEnd() {
        leases.resume("prices");
        assertThat(lines("resumed")).isEmpty();
        leases.pause("prices", "the provider is down");
        assertThat(lines("no round prices has been here yet"))
                .singleElement()
                .satisfies(line -> assertThat(line).contains("WARN"));
        leases.resume("prices");
        assertThat(lines("round prices is resumed")).hasSize(1);
        leases.pause("prices", "once more");
        assertThat(lines("no round prices has been here yet")).hasSize(1);
    }

    @Test
    void aRoundOfNodesIsKnownByTheRowsOfItsNodes() {
        Round uptime = Round.named("uptime").every(LONG).scope(Scope.NODE).work(context -> {});
        instances.byHand(leases, uptime).pass("uptime");
        leases.pause("uptime", "maintenance");
        assertThat(lines("has been here yet")).isEmpty();
    }

    @Test
    void anExtraRunThatIsNotBegunSaysWhy() {
        ManualRounds rounds =
                instances.byHand(leases, Round.named("sweep").every(LONG).work(context -> {}));
        leases.pause("sweep", "enough");
        rounds.runNow("sweep");
        assertThat(lines("an extra run of round sweep is not begun: it is paused"))
                .hasSize(1);
        leases.resume("sweep");
        assertThat(instances.leases().tryAcquire("sweep").lease()).isPresent();
        rounds.runNow("sweep");
        assertThat(lines("an extra run of round sweep is not begun: another has its lease"))
                .hasSize(1);
    }

    @Test
    void aScheduleWithoutAnySlotIsToldOnce() throws Exception {
        Schedule never = Schedule.of("31 February", after -> null);
        ManualRounds rounds =
                instances.byHand(leases, Round.named("never").schedule(never).work(context -> {}));
        for (int look = 0; look < 3; look++) {
            rounds.pass("never");
        }
        assertThat(lines("round never never falls due from now on: its schedule, 31 February, has no slot any more"))
                .singleElement()
                .satisfies(line -> assertThat(line).contains("WARN"));
        assertThat(rounds.status().get(0).nextDue()).isEmpty();
    }

    @Test
    void aRoundThatIsAlwaysOverlongSaysSoOnceAMinute() throws Exception {
        var rounds = instances.start(
                leases,
                "a",
                Round.named("slow").every(Duration.ofMillis(100)).work(context -> TimeUnit.MILLISECONDS.sleep(250)));
        Await.until("some overlong runs", LIMIT, () -> rounds.status().get(0).runs() > 5);
        assertThat(rounds.status().get(0).skippedSlots()).isGreaterThanOrEqualTo(5);
        assertThat(lines("round slow skips")).hasSize(1);
    }

    @Test
    void oneSlotIsOne() {
        var skips = new SkipLog("single");
        skips.tell(1, SkipReason.OVERLONG);
        skips.tell(1, SkipReason.OVERLONG);
        skips.tell(2, SkipReason.NO_WORKER);
        assertThat(lines("round single")).hasSize(2).satisfies(all -> {
            assertThat(all.get(0)).endsWith("round single skips 1 slot: OVERLONG");
            assertThat(all.get(1)).endsWith("round single skips 2 slots: NO_WORKER");
        });
    }

    /** Its looks are 50 ms apart at least, and their threads come when they come. */
    @Test
    void whereThereAreWorkersForAllNoneIsMissing() throws Exception {
        var missing = new AtomicInteger();
        var rounds = instances.start(
                leases,
                builder -> builder.listener(new RoundListener() {
                    @Override
                    public void skipped(String round, long slots, SkipReason reason) {
                        if (reason == SkipReason.NO_WORKER) {
                            missing.incrementAndGet();
                        }
                    }
                }),
                Round.named("quick").every(Duration.ofMillis(1)).work(context -> {}));
        Await.until("many runs", LIMIT, () -> rounds.status().get(0).runs() >= 40);
        assertThat(missing).hasValue(0);
    }
}
