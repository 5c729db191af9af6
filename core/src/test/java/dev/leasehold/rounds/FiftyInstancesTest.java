package dev.leasehold.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.Await;
import dev.leasehold.Grid;
import dev.leasehold.Leases;
import dev.leasehold.rounds.Account.Count;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Fifty instances, each with a pool of one or two connections, and dozens of rounds of a second and less under all promises;
 * on a server of their own, whose log is of them alone.
 */
@ResourceLock("the machine")
@Isolated("fifty instances leave no room for the tests beside them")
class FiftyInstancesTest {

    private static final int INSTANCES = 50;
    private static final int ROUNDS = 36;

    private static final Duration SHORTEST_PERIOD = Duration.ofMillis(800);

    private static final List<Duration> PERIODS =
            List.of(Duration.ofSeconds(1), Duration.ofSeconds(1), SHORTEST_PERIOD);

    private static final List<Promise> PROMISES = List.of(Promise.values());
    private static final Duration LENGTH = Duration.ofSeconds(54);

    /**
     * Longer waits are written into the server's log. It cannot be much less: even {@code skip locked} waits, if only for the
     * end of a transaction as short as its own, where a row version that it is to lock is being updated further.
     */
    private static final String LOCK_WAIT = "100ms";

    /** Told when a slot is missed, to see whether the machine stood still then. */
    private static final Duration LATE = Duration.ofMillis(400);

    /** A busy machine stands still now and then; a slot in which it did not for so long could have been run. */
    private static final Duration ENOUGH = Duration.ofMillis(500);

    /** A wait for a lock that is told just after such a pause of the pulse is one for the machine. */
    private static final Duration STANDSTILL = Duration.ofMillis(80);

    /** Who has waited for longer than this cancels its statement, which is an error for the server. */
    private static final Duration LONG_STANDSTILL = Duration.ofSeconds(1);
    /** After one, fifty instances have that long to work off what they have given up. */
    private static final Duration BACKLOG = Duration.ofSeconds(5);

    private static final int LEAST_FINISHES_WITHOUT_A_WAIT = 20;

    private static final Duration OUT_OF_STEP = Duration.ofMillis(37);

    private final TestServer server = TestServer.start(Map.of("log_lock_waits", "on", "deadlock_timeout", LOCK_WAIT));
    private final TestDatabase database = server.freshDatabase();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<Rounds> started = new ArrayList<>();
    private final List<Round> rounds =
            IntStream.range(0, ROUNDS).mapToObj(this::describe).toList();
    private final Queue<Begin> begins = new ConcurrentLinkedQueue<>();

    private record Begin(String round, Instant slot, Duration late) {

        @Override
        public String toString() {
            return round + " " + slot;
        }

        String told() {
            return this + " late by " + late.toMillis() + " ms";
        }
    }

    /** All promises with all periods, and an offset for each. */
    private Round describe(int number) {
        Duration period = PERIODS.get(number % PERIODS.size());
        Promise promise = PROMISES.get(number / PERIODS.size() % PROMISES.size());
        var described = Round.named("round-" + number)
                .every(period)
                .offset(Duration.ofMillis(period.toMillis() * number / ROUNDS));
        return promise == Promise.EXACTLY_ONCE
                ? described.workInTransaction((context, connection) -> begun(context))
                : described.promise(promise).work(this::begun);
    }

    private void begun(RoundContext context) {
        begins.add(new Begin(
                context.round(),
                context.slot(),
                context.lease().slot().orElseThrow().late()));
    }

    private void start(int number) {
        var config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setMaximumPoolSize(1 + number % 2);
        var pool = open(new HikariDataSource(config));
        var leases = open(Leases.on(pool).ttl(Duration.ofSeconds(20)).build());
        var described = Rounds.on(leases).node("node-" + number);
        rounds.forEach(described::add);
        started.add(open(described.start()));
    }

    private <T extends AutoCloseable> T open(T closeable) {
        opened.add(0, closeable);
        return closeable;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable closeable : opened) {
            closeable.close();
        }
        server.close();
    }

    @Test
    void eachOfThousandsOfSlotsRunsOnceAndNobodyWaitsForALock() throws Exception {
        Leases.on(database.dataSource()).build().close();
        var account = Account.of(database);
        var pulse = open(new Pulse(database));
        for (int i = 0; i < INSTANCES; i++) {
            start(i);
            TimeUnit.NANOSECONDS.sleep(OUT_OF_STEP.toNanos());
        }
        Instant begin = account.now();
        Instant end = begin.plus(LENGTH);
        Await.until("the end", LENGTH.multipliedBy(2), () -> account.now().isAfter(end));
        started.forEach(one ->
                assertThat(one.stop(Duration.ofSeconds(20))).as("unended").isEmpty());
        List<String> slots = slots(new Span(begin, end), slot -> true);
        List<String> counts = counts(account);
        List<String> begun = begins.stream().map(Begin::toString).toList();
        Set<String> missed = new LinkedHashSet<>(slots);
        counts.forEach(missed::remove);
        Set<String> chances = Set.copyOf(slots(new Span(begin, end), slot -> pulse.hadChance(slot, ENOUGH)));
        List<String> late = begins.stream()
                .filter(one -> one.late().compareTo(LATE) > 0)
                .map(Begin::told)
                .toList();
        var messages = ServerMessages.of(database).without(extended(pulse.still(STANDSTILL), ENOUGH));
        report(slots, counts, missed, messages);
        assertThat(counts).as("counted slots").doesNotHaveDuplicates();
        assertThat(begun).as("begun runs").doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(counts);
        assertThat(missed)
                .as("slots without a counted run; late ones: %s", late)
                .noneMatch(chances::contains);
        assertThat(chances).as("slots that could have been run").hasSizeGreaterThan(slots.size() / 2);
        checkThatNothingDrifts(chances);
        assertThat(ServerMessages.of(database)
                        .without(extended(pulse.still(LONG_STANDSTILL), BACKLOG))
                        .errors())
                .as("errors in the server's log")
                .isEmpty();
        assertThat(messages.lockWaits())
                .as("waits for locks, but for the one of a finish")
                .allMatch(FiftyInstancesTest::isOfFinish)
                .as("and of those few")
                .hasSizeLessThan(counts.size() / LEAST_FINISHES_WITHOUT_A_WAIT);
    }

    private static List<Span> extended(List<Span> spans, Duration by) {
        return spans.stream().map(span -> span.extendedBy(by)).toList();
    }

    /**
     * The row of the lease may be locked for a moment by a taker that has found it free and looks at it again. A finish is the
     * one statement of a round that waits for it.
     */
    private static boolean isOfFinish(String lockWait) {
        return lockWait.contains("set_config('leasehold.finished_for'");
    }

    private List<String> slots(Span time, Predicate<Span> isMeant) {
        return rounds.stream()
                .flatMap(round -> time.slots((Grid) round.schedule()).stream()
                        .filter(isMeant)
                        .map(slot -> round.name() + " " + slot.from()))
                .toList();
    }

    /** A second count of a slot is among them. A run that is not begun, for its rounds stop, takes its count back. */
    private List<String> counts(Account account) throws Exception {
        Map<String, Promise> promises = rounds.stream().collect(Collectors.toMap(Round::name, Round::promise));
        List<Count> all = account.counts();
        Set<Long> releases = all.stream()
                .filter(count -> !count.isOfAcquire())
                .map(Count::fence)
                .collect(Collectors.toSet());
        return all.stream()
                .filter(count -> promises.get(count.name()) == Promise.AT_MOST_ONCE
                        ? count.isOfAcquire() && !releases.contains(count.fence())
                        : !count.isOfAcquire())
                .map(count -> count.name() + " " + count.slot())
                .toList();
    }

    /** By instants of the database: if runs drifted, they would begin anywhere between two slots by then. */
    private void checkThatNothingDrifts(Set<String> chances) {
        List<Begin> all = List.copyOf(begins);
        List<Begin> last = all.subList(all.size() * 3 / 4, all.size()).stream()
                .filter(one -> chances.contains(one.toString()))
                .toList();
        long early = last.stream()
                .filter(one -> one.late().compareTo(SHORTEST_PERIOD.dividedBy(2)) < 0)
                .count();
        assertThat((double) early / last.size())
                .as("share of the runs in the last quarter that begin in the first 400 ms of their slots")
                .isGreaterThan(0.6);
    }

    private void report(List<String> slots, List<String> counts, Set<String> missed, ServerMessages messages) {
        Set<String> judged = Set.copyOf(slots);
        List<Duration> late = begins.stream()
                .filter(one -> judged.contains(one.toString()))
                .map(Begin::late)
                .sorted()
                .toList();
        System.out.printf(
                "%d instances, %d rounds: %d slots, %d missed; %d counted, %d begun in all; %d waits for a lock%n",
                INSTANCES,
                ROUNDS,
                slots.size(),
                missed.size(),
                counts.size(),
                begins.size(),
                messages.lockWaits().size());
        System.out.printf(
                "late: half of them up to %d ms, 99 %% up to %d ms, the latest %d ms%n",
                late.get(late.size() / 2).toMillis(),
                late.get(late.size() * 99 / 100).toMillis(),
                late.get(late.size() - 1).toMillis());
    }
}
