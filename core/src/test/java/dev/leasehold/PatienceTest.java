package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.RepeatedTest;

/** How long one pauses after a refusal. */
class PatienceTest {

    private static final Duration LONGEST = Duration.ofSeconds(1);

    private final Patience patience = new Patience(LONGEST);

    private Duration afterTimeLeft(Duration left) {
        return patience.after(
                new Acquisition.Busy(Optional.of("h"), Optional.of(left), Optional.empty(), false, false));
    }

    private Duration afterUnknown() {
        return patience.after(new Acquisition.Busy(Optional.empty(), Optional.empty(), Optional.empty(), false, false));
    }

    @RepeatedTest(20)
    void aLeaseThatEndsSoonIsAskedForJustAfterItsEnd() {
        Duration left = Duration.ofMillis(400);
        assertThat(afterTimeLeft(left)).isBetween(left, left.plus(Patience.FLOOR));
    }

    @RepeatedTest(20)
    void aLeaseThatLastsIsAskedForAtLeastOncePerLongestPause() {
        assertThat(afterTimeLeft(Duration.ofDays(1)))
                .isBetween(LONGEST.multipliedBy(3).dividedBy(4), LONGEST);
    }

    @RepeatedTest(20)
    void nobodySpinsOnATinyHint() {
        assertThat(afterTimeLeft(Duration.ofNanos(1000))).isGreaterThanOrEqualTo(Patience.FLOOR);
    }

    @RepeatedTest(20)
    void anUnknownHintBacksOffFromAFloorToTheLongestPause() {
        Duration upTo = Patience.FLOOR;
        for (int i = 0; i < 10; i++) {
            assertThat(afterUnknown()).isBetween(upTo.multipliedBy(3).dividedBy(4), upTo);
            upTo = upTo.multipliedBy(2).compareTo(LONGEST) < 0 ? upTo.multipliedBy(2) : LONGEST;
        }
        assertThat(upTo).isEqualTo(LONGEST);
        afterTimeLeft(LONGEST);
        assertThat(afterUnknown()).as("known again in between").isLessThanOrEqualTo(Patience.FLOOR);
    }
}
