package dev.leasehold.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.rounds.Account.Count;
import dev.leasehold.rounds.Account.Hold;
import dev.leasehold.rounds.ClusterNode.Incident;
import dev.leasehold.rounds.ClusterNode.Kind;
import dev.leasehold.rounds.Excuses.Cause;
import dev.leasehold.rounds.Excuses.Life;
import dev.leasehold.rounds.Excuses.Trouble;
import dev.leasehold.rounds.RunRecords.Effect;
import dev.leasehold.rounds.RunRecords.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What the records of one lease of the cluster test say, after the end. */
final class ClusterVerdict {

    private final ClusterRound round;
    private final String lease;
    private final List<Incident> incidents;
    private final List<Hold> holds;
    private final List<Count> counts;
    private final List<Run> runs;
    private final List<Effect> effects;
    private final Excuses excuses;
    private final List<Span> slots;

    /** All that was written down in the course of the test, by everybody. */
    record Records(
            List<Hold> holds,
            List<Count> counts,
            List<Run> runs,
            List<Effect> effects,
            List<Life> lives,
            Trouble trouble) {}

    /**
     * @param lease the round's lease
     * @param servesIt whether a node of that name runs the round under this lease
     * @param whole from the start of the first node to the end of the last
     * @param judged the time in which no slot may be missed
     */
    ClusterVerdict(ClusterRound round, String lease, Predicate<String> servesIt, Records all, Span whole, Span judged) {
        this.round = round;
        this.lease = lease;
        this.incidents = all.trouble().incidents();
        this.holds =
                all.holds().stream().filter(hold -> hold.name().equals(lease)).toList();
        this.runs = all.runs().stream().filter(run -> run.name().equals(lease)).toList();
        this.effects = all.effects().stream()
                .filter(effect -> effect.name().equals(lease))
                .toList();
        boolean atAcquire = round.promise() == Promise.AT_MOST_ONCE;
        this.counts = all.counts().stream()
                .filter(count -> count.name().equals(lease) && count.isOfAcquire() == atAcquire)
                .toList();
        this.slots = judged.slots(round.grid());
        List<Life> servers =
                all.lives().stream().filter(life -> servesIt.test(life.node())).toList();
        this.excuses = new Excuses(round, whole, holds, servers, all.trouble());
    }

    void check() {
        checkCounts();
        checkRunsOfCounts();
        checkEffects();
        checkFences();
        checkOverlaps();
        assertThat(missed().stream()
                        .filter(slot -> excuses.cause(slot).isEmpty())
                        .map(this::told))
                .as("%s: slots without a counted run, though somebody could have run them", round)
                .isEmpty();
    }

    /** With what happened around it, for who looks for the cause. */
    private String told(Span slot) {
        Duration around = round.period().multipliedBy(2);
        var time = new Span(slot.from().minus(around), slot.to().plus(around));
        var told = new StringBuilder("\n" + slot + ", could have been run for " + excuses.chance(slot));
        holds.stream()
                .filter(hold -> hold.until().isAfter(time.from()) && hold.from().isBefore(time.to()))
                .forEach(hold -> told.append("\n  ")
                        .append(hold)
                        .append(Excuses.strike(hold, incidents)
                                .map(strike -> ", struck by " + strike)
                                .orElse("")));
        incidents.stream()
                .filter(incident ->
                        incident.until().isAfter(time.from()) && incident.from().isBefore(time.to()))
                .forEach(incident -> told.append("\n  ").append(incident));
        return told.toString();
    }

    private void checkCounts() {
        assertThat(counts.stream().map(Count::slot))
                .as("%s: slots that were counted", round)
                .doesNotHaveDuplicates();
        assertThat(counts)
                .as("%s: counted later than the slot before", round)
                .allMatch(count -> count.previous().isBefore(count.slot()));
    }

    /** At least and exactly once, what counts has run to its end; at most once, what counts may have died before it began. */
    private void checkRunsOfCounts() {
        Map<Long, Run> byFence = runs.stream().collect(Collectors.toMap(Run::fence, run -> run));
        for (Count count : counts) {
            var run = Optional.ofNullable(byFence.get(count.fence()));
            boolean isComplete = round.promise() == Promise.AT_MOST_ONCE
                    ? run.isPresent() || isStruck(count.fence())
                    : run.flatMap(Run::endedAt).isPresent();
            assertThat(isComplete).as("%s: %s is of %s", round, count, run).isTrue();
            assertThat(run.map(Run::slot).filter(slot -> !slot.equals(count.slot())))
                    .as("%s: slot of the run of %s", round, count)
                    .isEmpty();
        }
        if (round.promise() == Promise.AT_MOST_ONCE) {
            assertThat(runs.stream().map(Run::slot))
                    .as("%s: slots that a run has begun for", round)
                    .doesNotHaveDuplicates();
            assertThat(runs.stream().map(Run::fence))
                    .as("%s: runs of counted slots", round)
                    .isSubsetOf(counts.stream().map(Count::fence).toList());
        }
    }

    private void checkEffects() {
        if (round.promise() == Promise.EXACTLY_ONCE) {
            assertThat(effects.stream().map(effect -> effect.slot() + " by " + effect.fence()))
                    .as("%s: committed effects, one for each counted slot", round)
                    .containsExactlyInAnyOrderElementsOf(counts.stream()
                            .map(count -> count.slot() + " by " + count.fence())
                            .toList());
        }
    }

    private void checkFences() {
        assertThat(holds.stream().map(Hold::fence))
                .as("%s: fences in the order of the acquisitions", round)
                .isSortedAccordingTo(Comparator.naturalOrder())
                .doesNotHaveDuplicates();
    }

    /** By that, fences grow in the order of the begins too. A run that has no end ended with its process. */
    private void checkOverlaps() {
        for (int i = 1; i < runs.size(); i++) {
            Run run = runs.get(i);
            assertThat(runs.subList(0, i).stream()
                            .filter(before -> !end(before).isBefore(run.beganAt()))
                            .filter(before -> !wasFrozenPastItsLease(before, run)))
                    .as("%s: runs of smaller fences that had not ended when %s began", round, run)
                    .isEmpty();
        }
    }

    private Instant end(Run run) {
        return run.endedAt().or(() -> kill(run.pid())).orElse(Instant.MAX);
    }

    private Optional<Instant> kill(long pid) {
        return incidents.stream()
                .filter(incident -> incident.kind() == Kind.KILL && incident.pid() == pid)
                .map(Incident::until)
                .findFirst();
    }

    /** It was frozen while it held the lease, and for so long that another could take that over. */
    private boolean wasFrozenPastItsLease(Run run, Run next) {
        return holds.stream()
                .filter(hold -> hold.fence() == run.fence() && !hold.isReleased())
                .flatMap(hold -> Excuses.strike(hold, incidents).stream())
                .anyMatch(strike -> strike.kind() == Kind.FREEZE
                        && Duration.between(strike.from(), strike.until()).compareTo(ClusterRound.TTL) > 0
                        && strike.from().isBefore(next.beganAt()));
    }

    private boolean isStruck(long fence) {
        return holds.stream()
                .anyMatch(hold ->
                        hold.fence() == fence && Excuses.strike(hold, incidents).isPresent());
    }

    List<Span> missed() {
        var counted = counts.stream().map(Count::slot).collect(Collectors.toSet());
        return slots.stream().filter(slot -> !counted.contains(slot.from())).toList();
    }

    Map<Cause, Long> causes() {
        var causes = new EnumMap<Cause, Long>(Cause.class);
        missed().forEach(slot -> excuses.cause(slot).ifPresent(cause -> causes.merge(cause, 1L, Long::sum)));
        return causes;
    }

    Promise promise() {
        return round.promise();
    }

    /** The slots that were missed for that reason. */
    long missedBecause(Cause cause) {
        return causes().getOrDefault(cause, 0L);
    }

    int slots() {
        return slots.size();
    }

    long takeovers() {
        return holds.stream().filter(Hold::hasTakenOver).count();
    }

    /** A line of the table. */
    @Override
    public String toString() {
        long latest = runs.stream()
                .mapToLong(run -> Duration.between(run.slot(), run.beganAt()).toMillis())
                .max()
                .orElse(0);
        Duration chance = missed().stream()
                .map(excuses::chance)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
        return "%-14s %5d %7d %6d %6d %9d  %s, longest chance %d ms, latest begin %d ms"
                .formatted(
                        lease,
                        slots(),
                        counts.size(),
                        runs.size(),
                        missed().size(),
                        takeovers(),
                        causes(),
                        chance.toMillis(),
                        latest);
    }
}
