package dev.leasehold.rounds;

import dev.leasehold.Acquisition;
import dev.leasehold.Grid;
import dev.leasehold.Schedule;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** How long a round sleeps until its next look. Immutable. */
final class Pauses {

    /** For the database's clock may be set, an operator may order a run, or a machine may wake up. */
    static final Duration LONGEST = Duration.ofMinutes(1);

    static final Duration AFTER_AN_ERROR = Duration.ofSeconds(1);
    private static final Duration LONGEST_AFTER_AN_ERROR = Duration.ofSeconds(30);
    private static final int MOST_DOUBLINGS = 5;
    private static final Duration SHORTEST = Duration.ofMillis(50);
    private static final Duration LARGEST_JITTER = Duration.ofMillis(200);

    private final Duration longest;
    private final boolean hasPeriod;

    Pauses(Schedule schedule) {
        this.longest = longest(schedule);
        this.hasPeriod = schedule instanceof Grid;
    }

    /** The period, or a minute if that is shorter or there is none. */
    static Duration longest(Schedule schedule) {
        return schedule instanceof Grid grid ? shorter(grid.period(), LONGEST) : LONGEST;
    }

    Duration until(Duration nextSlotIn) {
        return jittered(shorter(nextSlotIn, LONGEST));
    }

    /**
     * The end of the holder's lease, or the next slot: whichever comes first. The holder may end before, and its slot be due still
     * ({@link Acquisition.Busy#isDue}), with nobody else left to run it: there is another look in the second half of the slot. A
     * race leaves both unknown, and there must be time for another look within the slot.
     */
    Duration after(Acquisition.Busy busy) {
        Duration slot = busy.nextSlotIn().orElse(longest);
        Duration look = busy.isDue() && isLookedAtAgain(slot) ? slot.minus(lastLook(slot)) : slot;
        Duration end = busy.timeLeft().orElse(shorter(longest.dividedBy(4), AFTER_AN_ERROR));
        return until(shorter(look, end));
    }

    /**
     * Whether who finds the lease of a due slot held looks again before the next slot comes.
     *
     * @param untilNext the time to that
     */
    boolean isLookedAtAgain(Duration untilNext) {
        return untilNext.compareTo(lastLook(untilNext)) > 0;
    }

    /** How long before the next slot a due one is looked at once more: where there is no period, half of the time that is left. */
    private Duration lastLook(Duration untilNext) {
        Duration half = hasPeriod ? longest.dividedBy(2) : untilNext.dividedBy(2);
        return hasPeriod || half.compareTo(AFTER_AN_ERROR) > 0 ? half : AFTER_AN_ERROR;
    }

    /** Ever longer ones, up to half a minute or the period. */
    Duration afterErrors(int errorsInARow) {
        Duration pause = AFTER_AN_ERROR.multipliedBy(1L << Math.min(errorsInARow - 1, MOST_DOUBLINGS));
        return jittered(shorter(shorter(pause, LONGEST_AFTER_AN_ERROR), longest));
    }

    /** Adds a little, so that not all instances ask at the same moment, and none passes an instant over that comes soon. */
    private Duration jittered(Duration pause) {
        Duration base = pause.compareTo(SHORTEST) < 0 ? SHORTEST : pause;
        Duration jitter = shorter((hasPeriod ? longest : base).dividedBy(10), LARGEST_JITTER);
        return base.plusNanos(ThreadLocalRandom.current().nextLong(jitter.toNanos() + 1));
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
