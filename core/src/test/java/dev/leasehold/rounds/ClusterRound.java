package dev.leasehold.rounds;

import dev.leasehold.Grid;
import dev.leasehold.LossPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A round of the cluster test: known to its nodes, which run it, and to the test, which knows when it must have run.
 *
 * @param work how long its work takes
 */
record ClusterRound(
        String name,
        Promise promise,
        Scope scope,
        Duration period,
        Duration offset,
        Duration work,
        LossPolicy lossPolicy) {

    /** Takeovers follow soon. */
    static final Duration TTL = Duration.ofSeconds(3);

    static final List<ClusterRound> ALL = List.of(
            round("least-quick", Promise.AT_LEAST_ONCE, 1000, 0, 0, LossPolicy.GO_ON),
            round("least-half", Promise.AT_LEAST_ONCE, 1000, 130, 450, LossPolicy.INTERRUPT),
            round("least-long", Promise.AT_LEAST_ONCE, 2000, 700, 1500, LossPolicy.GO_ON),
            round("most-quick", Promise.AT_MOST_ONCE, 1000, 260, 0, LossPolicy.GO_ON),
            round("most-half", Promise.AT_MOST_ONCE, 1500, 390, 600, LossPolicy.INTERRUPT),
            round("most-long", Promise.AT_MOST_ONCE, 1500, 520, 1100, LossPolicy.GO_ON),
            round("exactly-quick", Promise.EXACTLY_ONCE, 1000, 650, 0, LossPolicy.GO_ON),
            round("exactly-half", Promise.EXACTLY_ONCE, 1500, 780, 500, LossPolicy.INTERRUPT),
            round("exactly-long", Promise.EXACTLY_ONCE, 2000, 910, 1400, LossPolicy.GO_ON),
            new ClusterRound(
                    "on-node",
                    Promise.AT_LEAST_ONCE,
                    Scope.NODE,
                    Duration.ofMillis(1000),
                    Duration.ofMillis(330),
                    Duration.ofMillis(100),
                    LossPolicy.GO_ON));

    /** Without it, a slot would count whose work threw because its transaction was ended by the server during a freeze. */
    private static final Duration TRIED_AGAIN_AFTER = Duration.ofMillis(200);

    /** So many deaths in a row that no slot is given up: a slot given up counts without a run. */
    private static final int NEVER = 1_000_000;

    private static ClusterRound round(
            String name, Promise promise, int periodMillis, int offsetMillis, int workMillis, LossPolicy lossPolicy) {
        return new ClusterRound(
                name,
                promise,
                Scope.CLUSTER,
                Duration.ofMillis(periodMillis),
                Duration.ofMillis(offsetMillis),
                Duration.ofMillis(workMillis),
                lossPolicy);
    }

    /** The slot in which that moment lies. */
    Instant slotOf(Instant moment) {
        return grid().next(moment).orElseThrow().minus(period);
    }

    Grid grid() {
        return new Grid(period, offset);
    }

    /** Ready to run on a node. */
    Round on(RunRecords records) {
        var described = Round.named(name)
                .every(period)
                .offset(offset)
                .scope(scope)
                .onLoss(lossPolicy)
                .deathLimit(NEVER);
        return switch (promise) {
            case AT_LEAST_ONCE, AT_MOST_ONCE ->
                described.promise(promise).work(context -> records.during(context, this::doWork));
            case EXACTLY_ONCE ->
                described
                        .retryAfter(TRIED_AGAIN_AFTER)
                        .workInTransaction((context, connection) -> records.during(context, () -> {
                            RunRecords.effect(context, connection);
                            doWork();
                        }));
        };
    }

    private void doWork() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(work.toMillis());
    }
}
