package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class HistoryTurnsTest {

    /** As on a machine that stands still for a while. */
    @Test
    void whoWasHeldUpOnItsWayHasHalfOfTheBoundLeft() throws Exception {
        Duration bound = Duration.ofNanos(2);
        assertThat(new HistoryTurns().<Duration>await(bound, rest -> rest)).isEqualTo(bound.dividedBy(2));
    }
}
