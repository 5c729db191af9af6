package dev.leasehold.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Acquisition;
import dev.leasehold.Grid;
import dev.leasehold.Schedule;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PausesTest {

    private static final Duration PERIOD = Duration.ofSeconds(1);

    @Test
    void instantsThatComeSoonAreNotPassedOverForTheSakeOfTheOthers() {
        var cron = new Pauses(Schedule.of("cron", after -> after.plusMillis(250)));
        for (int i = 0; i < 1_000; i++) {
            assertThat(cron.until(Duration.ofMillis(250))).isBetween(Duration.ofMillis(250), Duration.ofMillis(275));
            assertThat(cron.until(Duration.ofHours(1))).isBetween(Duration.ofMinutes(1), Duration.ofMillis(60_200));
        }
    }

    /** As when a dead holder's lease ends between the try to acquire it and the look at who holds it. */
    @Test
    void afterARaceThereIsTimeForAnotherLookInTheSameSlot() {
        var unknown = new Acquisition.Busy(Optional.empty(), Optional.empty(), Optional.empty(), false, false);
        assertThat(new Pauses(Grid.every(PERIOD)).after(unknown)).isLessThan(PERIOD.dividedBy(2));
    }

    private static Acquisition.Busy held(Duration nextSlotIn, boolean isDue) {
        return new Acquisition.Busy(
                Optional.of("another"), Optional.of(Duration.ofMinutes(2)), Optional.of(nextSlotIn), isDue, false);
    }

    private static void assertPause(Pauses pauses, Duration nextSlotIn, boolean isDue, Duration expected) {
        assertThat(pauses.after(held(nextSlotIn, isDue))).isBetween(expected, expected.plusMillis(200));
    }

    /** Its holder may end without counting it, or for a slot before, and then nobody else would run it. */
    @Test
    void whoFindsADueSlotHeldLooksOnceMoreInItsSecondHalf() {
        var seconds = new Pauses(Grid.every(Duration.ofSeconds(10)));
        assertPause(seconds, Duration.ofMillis(9_900), true, Duration.ofMillis(4_900));
        assertPause(seconds, Duration.ofMillis(4_900), true, Duration.ofMillis(4_900));
        assertPause(seconds, Duration.ofMillis(9_900), false, Duration.ofMillis(9_900));
        var hours = new Pauses(Grid.every(Duration.ofHours(1)));
        assertPause(hours, Duration.ofMinutes(50), true, Duration.ofMinutes(1));
        assertPause(hours, Duration.ofSeconds(50), true, Duration.ofSeconds(20));
        assertPause(hours, Duration.ofSeconds(30), true, Duration.ofSeconds(30));
        var instants = new Pauses(Schedule.of("cron", after -> after.plusSeconds(8)));
        assertPause(instants, Duration.ofSeconds(8), true, Duration.ofSeconds(4));
        assertPause(instants, Duration.ofSeconds(4), true, Duration.ofSeconds(2));
        assertPause(instants, Duration.ofMillis(900), true, Duration.ofMillis(900));
    }
}
