package dev.leasehold.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertAll;

import dev.leasehold.Await;
import dev.leasehold.Leases;
import dev.leasehold.rounds.Account.Hold;
import dev.leasehold.rounds.ClusterNode.Incident;
import dev.leasehold.rounds.ClusterNode.Kind;
import dev.leasehold.rounds.Excuses.Cause;
import dev.leasehold.rounds.Excuses.Life;
import dev.leasehold.rounds.Excuses.Trouble;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Three processes on two nodes that are killed, frozen and started again at random while they run rounds under each promise;
 * judged by what the runs and the table have written down themselves. {@code -Dleasehold.cluster.seconds} says for how long,
 * and {@code -Dleasehold.cluster.seed} repeats the order of what happens to whom.
 */
@ResourceLock("the machine")
class ClusterTest {

    private static final Duration LENGTH = Duration.ofSeconds(Long.getLong("leasehold.cluster.seconds", 120));
    private static final long SEED = Long.getLong("leasehold.cluster.seed", new Random().nextInt(1_000_000));
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** What the last takeover and its backlog take. */
    private static final Duration SETTLING = Duration.ofSeconds(6);

    /** A tenth to a seventh was seen. */
    private static final double LARGEST_EXCUSED_SHARE = 0.25;

    private static final double LARGEST_SHARE_STRUCK_BEFORE_ITS_NEXT_LOOK = 0.01;
    /** All rounds of a process that is alone for a moment, after each start and freeze that ends so. */
    private static final double LARGEST_SHARE_NOT_YET_AWAKE = 0.05;

    private static final double LARGEST_SHARE_OVERLONG = 0.05;
    /** In more than that, the test would be of a machine and not of leases. */
    private static final double LARGEST_SHARE_STOOD_STILL = 0.5;

    /** A pulse that pauses for less is the machine's daily business. */
    private static final Duration STANDSTILL = Duration.ofMillis(200);

    /** Who has waited for longer than this cancels its statement, which is an error for the server. */
    private static final Duration LONG_STANDSTILL = Duration.ofSeconds(1);

    private final TestServer server = TestServer.start(Map.of());
    private final TestDatabase database = server.freshDatabase();
    private final List<Incident> incidents = new ArrayList<>();
    private final List<ClusterNode> nodes = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        Leases.on(database.dataSource()).build().close();
        RunRecords.create(database);
        Path logs = Files.createDirectories(Path.of("target", "cluster-test"));
        for (String node : List.of("a", "a", "b")) {
            Path log = logs.resolve("process-" + nodes.size() + ".log");
            Files.deleteIfExists(log);
            nodes.add(new ClusterNode(node, database.jdbcUrl(), log, incidents));
        }
    }

    @AfterEach
    void end() throws Exception {
        for (ClusterNode node : nodes) {
            node.destroy();
        }
        server.close();
    }

    private List<Life> lives(Account account) throws Exception {
        return account.read(
                "select * from node_start",
                row -> new Life(row.getLong("pid"), row.getString("node"), Account.instant(row, "at")));
    }

    private void awaitAllReady(Account account) throws Exception {
        Await.until(
                "all nodes are ready",
                LIMIT,
                () -> lives(account).stream()
                        .map(Life::pid)
                        .toList()
                        .containsAll(nodes.stream().map(ClusterNode::pid).toList()));
    }

    private static Stream<String> leases(ClusterRound round) {
        return switch (round.scope()) {
            case CLUSTER -> Stream.of(round.name());
            case NODE -> Stream.of(round.name() + "@a", round.name() + "@b");
        };
    }

    private static boolean serves(String node, String lease) {
        return !lease.contains("@") || lease.endsWith("@" + node);
    }

    @Test
    void whateverBefallsThreeProcessesEachPromiseIsKept() throws Exception {
        System.out.printf("seed %d, %s%n", SEED, LENGTH);
        var account = Account.of(database);
        var pulse = new Pulse(database);
        Instant first = account.now();
        for (ClusterNode node : nodes) {
            node.start();
        }
        awaitAllReady(account);
        Instant begin = account.now();
        var chaos = new Chaos(nodes, SEED, () -> {
            awaitAllReady(account);
            return null;
        });
        chaos.rage(LENGTH, () -> hasEnoughHappened(account.holds(), chaos));
        Instant calm = account.now();
        Await.until("a settled cluster", LIMIT, () -> account.now().isAfter(calm.plus(SETTLING)));
        Instant end = account.now();
        for (ClusterNode node : nodes) {
            node.stop();
        }
        pulse.close();
        var records = new ClusterVerdict.Records(
                account.holds(),
                account.counts(),
                RunRecords.runs(account),
                RunRecords.effects(account),
                lives(account),
                new Trouble(incidents, pulse.still(STANDSTILL)));
        // a slot that is due at the end may be counted later
        var judged = new Span(begin, end.minusSeconds(2));
        var verdicts = ClusterRound.ALL.stream()
                .flatMap(round -> leases(round)
                        .map(lease -> new ClusterVerdict(
                                round, lease, node -> serves(node, lease), records, new Span(first, end), judged)))
                .toList();
        report(verdicts, chaos);
        assertAll(verdicts.stream().map(verdict -> verdict::check));
        assertThat(nodes.stream().flatMap(node -> node.pids().stream()))
                .as("processes, told apart by their numbers")
                .doesNotHaveDuplicates();
        List<Span> standstills = pulse.still(LONG_STANDSTILL).stream()
                .map(span -> span.extendedBy(LONG_STANDSTILL))
                .toList();
        assertThat(ServerMessages.of(database).without(standstills).errors())
                .as("errors in the server's log")
                .isEmpty();
        checkThatExcusesAreFew(verdicts);
        checkThatEnoughHappened(verdicts, chaos);
    }

    private long count(Kind kind) {
        return incidents.stream().filter(incident -> incident.kind() == kind).count();
    }

    private static long sum(List<ClusterVerdict> verdicts, ToLongFunction<ClusterVerdict> number) {
        return verdicts.stream().mapToLong(number).sum();
    }

    private void report(List<ClusterVerdict> verdicts, Chaos chaos) {
        System.out.printf(
                "seed %d: %d kills, %d freezes, %d times all at once%n",
                SEED, count(Kind.KILL), count(Kind.FREEZE), chaos.outages());
        System.out.println("lease          slots counted begins missed takeovers");
        verdicts.forEach(System.out::println);
        System.out.printf(
                "all            %5d %21d %9d%n",
                sum(verdicts, ClusterVerdict::slots),
                sum(verdicts, one -> one.missed().size()),
                sum(verdicts, ClusterVerdict::takeovers));
    }

    private boolean hasEnoughHappened(List<Hold> holds, Chaos chaos) {
        return count(Kind.KILL) >= perMinute(4)
                && count(Kind.FREEZE) >= perMinute(4)
                && chaos.outages() > 0
                && Stream.of(Promise.values()).allMatch(promise -> takeovers(promise, holds) >= perMinute(2));
    }

    private static long takeovers(Promise promise, List<Hold> holds) {
        List<String> names = ClusterRound.ALL.stream()
                .filter(round -> round.promise() == promise)
                .flatMap(ClusterTest::leases)
                .toList();
        return holds.stream()
                .filter(hold -> hold.hasTakenOver() && names.contains(hold.name()))
                .count();
    }

    /** If nothing had befallen them, all would be well without leases. */
    private void checkThatEnoughHappened(List<ClusterVerdict> verdicts, Chaos chaos) {
        assertThat(count(Kind.KILL)).as("kills").isGreaterThanOrEqualTo(perMinute(4));
        assertThat(count(Kind.FREEZE)).as("freezes").isGreaterThanOrEqualTo(perMinute(4));
        assertThat(chaos.outages()).as("times all at once").isPositive();
        for (Promise promise : Promise.values()) {
            var under =
                    verdicts.stream().filter(one -> one.promise() == promise).toList();
            assertThat(sum(under, ClusterVerdict::takeovers))
                    .as("takeovers under %s", promise)
                    .isGreaterThanOrEqualTo(perMinute(2));
        }
    }

    private static long perMinute(int times) {
        return LENGTH.multipliedBy(times).toMinutes();
    }

    private static void checkThatExcusesAreFew(List<ClusterVerdict> verdicts) {
        double slots = sum(verdicts, ClusterVerdict::slots);
        long stoodStill = missedBecause(Cause.MACHINE_STOOD_STILL, verdicts);
        assertThat(stoodStill / slots)
                .as("share of slots excused by %s", Cause.MACHINE_STOOD_STILL)
                .isLessThan(LARGEST_SHARE_STOOD_STILL);
        double judged = slots - stoodStill;
        assertThat((sum(verdicts, one -> one.missed().size()) - stoodStill) / judged)
                .as("share of slots that passed without a counted run")
                .isLessThan(LARGEST_EXCUSED_SHARE);
        assertThat(missedBecause(Cause.STRUCK_BEFORE_ITS_NEXT_LOOK, verdicts) / judged)
                .as("share of slots excused by %s", Cause.STRUCK_BEFORE_ITS_NEXT_LOOK)
                .isLessThan(LARGEST_SHARE_STRUCK_BEFORE_ITS_NEXT_LOOK);
        assertThat(missedBecause(Cause.NOT_YET_AWAKE, verdicts) / judged)
                .as("share of slots excused by %s", Cause.NOT_YET_AWAKE)
                .isLessThan(LARGEST_SHARE_NOT_YET_AWAKE);
        assertThat(missedBecause(Cause.OVERLONG, verdicts) / judged)
                .as("share of slots excused by %s", Cause.OVERLONG)
                .isLessThan(LARGEST_SHARE_OVERLONG);
    }

    private static long missedBecause(Cause cause, List<ClusterVerdict> verdicts) {
        return sum(verdicts, one -> one.missedBecause(cause));
    }
}
