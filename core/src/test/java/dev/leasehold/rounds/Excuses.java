package dev.leasehold.rounds;

import dev.leasehold.rounds.Account.Hold;
import dev.leasehold.rounds.ClusterNode.Incident;
import dev.leasehold.rounds.ClusterNode.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Why a slot of one lease may have passed without a counted run: because at no time of the slot was the lease free for {@link
 * #ENOUGH} while a node was there to acquire it.
 *
 * <p>The lease was not free while a holder held it that was killed or frozen: from the slot it was acquired for, which had its
 * run by that, until its last renewal ran out, by the table's account, or to the release, if the holder was thawed in time for
 * that. Nor was it during a run that had to begin late for this reason: see {@link #LATE}. A node was there from the moment
 * when its rounds had started until it was killed, but not while it was frozen, by the log of who killed and froze it. Nor is
 * that a chance during which the machine stood still.
 */
final class Excuses {

    /** A free lease is acquired within this: others sleep up to 200 ms longer than they need to, and the machine is noisy. */
    static final Duration ENOUGH = Duration.ofMillis(500);

    /** A run that begins this long after its slot did not begin on time, and the slots that pass while it runs are excused. */
    static final Duration LATE = Duration.ofMillis(400);

    /** Who has just ended a run looks again within this. */
    private static final Duration NEXT_LOOK = Duration.ofMillis(400);

    /**
     * After a look that failed, as one does that was on its way when its process was frozen, the next one follows within this: a
     * second, and its jitter.
     */
    private static final Duration NEXT_LOOK_AFTER_A_FAILED_ONE = Duration.ofMillis(1_300);

    /** On a busy machine, what a process does for the first time takes long. */
    private static final Duration WARMING = Duration.ofSeconds(3);

    /** A look fails that is not answered for so long. */
    private static final Duration LONGEST_LOOK = Duration.ofSeconds(1);

    /** A statement that was on its way when its sender was struck has come in by then. */
    private static final Duration IN_FLIGHT = Duration.ofSeconds(1);

    private final ClusterRound round;
    private final List<Incident> incidents;
    private final List<Span> notFree;
    private final List<Span> nobodyThere;
    private final List<Span> nobodyLooks;
    private final List<Span> nobodyAwake;
    private final List<Span> overlong;
    private final List<Span> stoodStill;

    enum Cause {
        /** The lease was not free. */
        DEAD_HOLDER,
        /** No node was there. */
        NOBODY_THERE,
        /** At first the one, then the other. */
        BOTH_IN_TURN,
        /**
         * A late run had gone on into this slot and ended; before it could look again its process was struck, and the others,
         * who had asked while it ran, slept until their next slot.
         */
        STRUCK_BEFORE_ITS_NEXT_LOOK,
        /** Only those were there who had just been thawed, perhaps in mid-look, or started. */
        NOT_YET_AWAKE,
        /** A run took that much longer than its work; what passes meanwhile is skipped. */
        OVERLONG,
        /** The machine stood still, by a pulse that has no part in leases. */
        MACHINE_STOOD_STILL
    }

    /**
     * What happened to the processes.
     *
     * @param incidents to single ones, by the test's own hand
     * @param stoodStill the times when they all stood still
     */
    record Trouble(List<Incident> incidents, List<Span> stoodStill) {}

    /** A process of a node, from the moment when its rounds had started. */
    record Life(long pid, String node, Instant readyAt) {}

    /**
     * @param holds of this lease, in order
     * @param servers the processes that run this round
     */
    Excuses(ClusterRound round, Span test, List<Hold> holds, List<Life> servers, Trouble trouble) {
        this.round = round;
        this.incidents = trouble.incidents();
        this.notFree = notFree(holds);
        this.nobodyLooks = nobodyLooks(holds);
        this.nobodyThere = test.without(servers.stream()
                .flatMap(life -> there(life, test.to(), Duration.ZERO, Duration.ZERO).stream())
                .toList());
        this.nobodyAwake = test.without(servers.stream()
                .flatMap(life -> there(life, test.to(), WARMING, NEXT_LOOK_AFTER_A_FAILED_ONE).stream())
                .toList());
        this.overlong = holds.stream()
                .map(hold -> new Span(hold.from(), hold.until()))
                .filter(span -> span.length().compareTo(round.work().plus(ENOUGH)) > 0)
                .toList();
        this.stoodStill = trouble.stoodStill().stream()
                .map(span -> span.length().compareTo(LONGEST_LOOK) < 0
                        ? span
                        : span.extendedBy(NEXT_LOOK_AFTER_A_FAILED_ONE))
                .toList();
    }

    /** The longest time in the slot for which it could have been run. */
    Duration chance(Span slot) {
        return chance(slot, List.of(notFree, nobodyThere, nobodyLooks, nobodyAwake, overlong, stoodStill));
    }

    private static Duration chance(Span slot, List<List<Span>> reasons) {
        return Span.longest(slot.without(reasons.stream().flatMap(List::stream).toList()));
    }

    /** Empty if the slot ought to have been run. */
    Optional<Cause> cause(Span slot) {
        if (isTooShort(chance(slot, List.of(notFree)))) {
            return Optional.of(Cause.DEAD_HOLDER);
        }
        if (isTooShort(chance(slot, List.of(nobodyThere)))) {
            return Optional.of(Cause.NOBODY_THERE);
        }
        if (isTooShort(chance(slot, List.of(notFree, nobodyThere)))) {
            return Optional.of(Cause.BOTH_IN_TURN);
        }
        if (isTooShort(chance(slot, List.of(notFree, nobodyThere, nobodyLooks)))) {
            return Optional.of(Cause.STRUCK_BEFORE_ITS_NEXT_LOOK);
        }
        if (isTooShort(chance(slot, List.of(notFree, nobodyThere, nobodyLooks, nobodyAwake)))) {
            return Optional.of(Cause.NOT_YET_AWAKE);
        }
        if (isTooShort(chance(slot, List.of(notFree, nobodyThere, nobodyLooks, nobodyAwake, overlong)))) {
            return Optional.of(Cause.OVERLONG);
        }
        return isTooShort(chance(slot)) ? Optional.of(Cause.MACHINE_STOOD_STILL) : Optional.empty();
    }

    private static boolean isTooShort(Duration chance) {
        return chance.compareTo(ENOUGH) < 0;
    }

    /** How its process was killed or frozen before it ended, if it was. */
    static Optional<Incident> strike(Hold hold, List<Incident> incidents) {
        return incidents.stream()
                .filter(incident -> incident.pid() == hold.pid()
                        && !incident.from().isAfter(hold.until())
                        && !hold.from().isAfter(incident.from().plus(IN_FLIGHT)))
                .min(Comparator.comparing(Incident::from));
    }

    private List<Span> notFree(List<Hold> holds) {
        var spans = new ArrayList<Span>();
        Instant backlogUntil = Instant.EPOCH;
        for (Hold hold : holds) {
            Optional<Incident> strike = strike(hold, incidents);
            if (strike.isPresent()) {
                backlogUntil = lockedUntil(hold, strike.get());
                spans.add(new Span(round.slotOf(hold.from()), backlogUntil));
            } else if (isLate(hold) && hold.from().isBefore(backlogUntil.plus(ENOUGH))) {
                backlogUntil = hold.until();
                spans.add(new Span(hold.from(), backlogUntil));
            }
        }
        return spans;
    }

    /** From the end of a run in a later slot than it had begun in, if its process was struck then, to the end of that slot. */
    private List<Span> nobodyLooks(List<Hold> holds) {
        return holds.stream()
                .filter(hold -> hold.isReleased() && round.slotOf(hold.from()).isBefore(round.slotOf(hold.until())))
                .filter(hold -> incidents.stream()
                        .anyMatch(incident -> incident.pid() == hold.pid()
                                && !incident.until().isBefore(hold.until())
                                && incident.from().isBefore(hold.until().plus(NEXT_LOOK))))
                .map(hold -> new Span(hold.until(), round.slotOf(hold.until()).plus(round.period())))
                .toList();
    }

    private boolean isLate(Hold hold) {
        Instant slot = round.slotOf(hold.from());
        return Duration.between(slot, hold.from()).compareTo(LATE) > 0;
    }

    /** The server ends the transaction of a frozen process when it was idle for a ttl; it may have the row locked. */
    private Instant lockedUntil(Hold hold, Incident strike) {
        Instant idleEnd = strike.from().plus(ClusterRound.TTL);
        boolean mayLock = round.promise() == Promise.EXACTLY_ONCE && strike.kind() == Kind.FREEZE && !hold.isReleased();
        return mayLock && idleEnd.isAfter(hold.until()) ? idleEnd : hold.until();
    }

    /** Not until so long after it was started, or thawed. */
    private List<Span> there(Life life, Instant end, Duration afterStart, Duration afterAThaw) {
        var struck = incidents.stream()
                .filter(incident -> incident.pid() == life.pid())
                .map(incident -> new Span(
                        incident.from(),
                        incident.kind() == Kind.KILL ? end : incident.until().plus(afterAThaw)))
                .toList();
        return new Span(life.readyAt().plus(afterStart), end).without(struck);
    }
}
