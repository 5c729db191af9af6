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
        var unknown = new Acquisition.Busy(Optional.empty(), Optional.empty(), Optional.empty(), false);
        assertThat(new Pauses(Grid.every(PERIOD)).after(unknown)).isLessThan(PERIOD.dividedBy(2));
    }
}
