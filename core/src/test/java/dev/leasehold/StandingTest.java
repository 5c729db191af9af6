package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class StandingTest {

    private static final Instant WALL = Instant.parse("2026-03-01T00:00:00Z");
    private static final Reading SENT = new Reading(Long.MAX_VALUE - 5, WALL); // the monotonic clock may wrap
    private static final Duration TRUST = Duration.ofSeconds(10);

    private final Standing standing = Standing.acquired(Deadline.after(SENT, TRUST));

    private static Reading after(Duration monotonic, Duration wall) {
        return new Reading(SENT.monotonicNanos() + monotonic.toNanos(), WALL.plus(wall));
    }

    @Test
    void isHeldUntilOneNanosecondBeforeItsOwnDeadline() {
        assertThat(standing.state(after(TRUST.minusNanos(1), TRUST.minusNanos(1))))
                .isEqualTo(LeaseState.HELD);
    }

    @Test
    void isUnconfirmedFromItsOwnDeadlineOn() {
        assertThat(standing.state(after(TRUST, TRUST.minusNanos(1)))).isEqualTo(LeaseState.UNCONFIRMED);
        assertThat(standing.state(after(TRUST.plusNanos(1), Duration.ZERO))).isEqualTo(LeaseState.UNCONFIRMED);
    }

    @Test
    void aSuspendThatStopsTheMonotonicClockEndsTheTrustByTheWallClock() {
        assertThat(standing.state(after(Duration.ofSeconds(1), TRUST))).isEqualTo(LeaseState.UNCONFIRMED);
        assertThat(standing.state(after(Duration.ofSeconds(1), TRUST.minusNanos(1))))
                .isEqualTo(LeaseState.HELD);
    }

    @Test
    void aWallClockSetBackDoesNotProlongTheTrust() {
        assertThat(standing.state(after(TRUST, Duration.ofHours(-1)))).isEqualTo(LeaseState.UNCONFIRMED);
    }

    @Test
    void aRenewalCountsFromTheMomentItWasSent() {
        var sent = after(Duration.ofSeconds(9), Duration.ofSeconds(9));
        var renewed = standing.renewed(Deadline.after(sent, TRUST));
        assertThat(renewed.state(after(Duration.ofSeconds(19).minusNanos(1), Duration.ofSeconds(18))))
                .isEqualTo(LeaseState.HELD);
        assertThat(renewed.state(after(Duration.ofSeconds(19), Duration.ofSeconds(18))))
                .isEqualTo(LeaseState.UNCONFIRMED);
    }

    @Test
    void anUnconfirmedLeaseIsHeldAgainOnceARenewalIsConfirmed() {
        var late = after(Duration.ofSeconds(30), Duration.ofSeconds(30));
        assertThat(standing.state(late)).isEqualTo(LeaseState.UNCONFIRMED);
        assertThat(standing.renewed(Deadline.after(late, TRUST)).state(late)).isEqualTo(LeaseState.HELD);
    }

    @Test
    void anOlderAnswerThatComesLaterShortensNothing() {
        var early = Deadline.after(SENT, TRUST);
        var late = Deadline.after(after(Duration.ofSeconds(5), Duration.ofSeconds(5)), TRUST);
        assertThat(standing.renewed(late).renewed(early).deadline()).isEqualTo(late);
    }

    private static Limit limit(Duration length) {
        return new Limit(length, Deadline.after(SENT, length));
    }

    @Test
    void noRenewalMovesTheDeadlineBeyondTheLimit() {
        var limit = limit(Duration.ofSeconds(15));
        var sent = after(Duration.ofSeconds(9), Duration.ofSeconds(9));
        var limited = standing.limited(limit);
        var renewed = limited.renewed(Deadline.after(sent, TRUST));
        assertThat(renewed.deadline()).isEqualTo(limit.until());
        assertThat(renewed.isPastLimit(sent)).isFalse();
        assertThat(renewed.isPastLimit(after(Duration.ofSeconds(15), Duration.ofSeconds(15))))
                .isTrue();
        assertThat(renewed.limited(limit(Duration.ofSeconds(1))).deadline())
                .as("an earlier limit ends the trust earlier")
                .isEqualTo(Deadline.after(SENT, Duration.ofSeconds(1)));
    }

    @Test
    void lostIsFinal() {
        var lost = standing.lost();
        var now = after(Duration.ZERO, Duration.ZERO);
        assertThat(lost.state(now)).isEqualTo(LeaseState.LOST);
        assertThat(lost.renewed(Deadline.after(after(TRUST, TRUST), TRUST)).state(now))
                .isEqualTo(LeaseState.LOST);
        assertThat(lost.released().state(now)).isEqualTo(LeaseState.LOST);
    }

    @Test
    void releasedIsFinal() {
        var released = standing.released();
        var now = after(Duration.ZERO, Duration.ZERO);
        assertThat(released.state(now)).isEqualTo(LeaseState.RELEASED);
        assertThat(released.renewed(Deadline.after(after(TRUST, TRUST), TRUST)).state(now))
                .isEqualTo(LeaseState.RELEASED);
        assertThat(released.lost().state(now)).isEqualTo(LeaseState.RELEASED);
    }
}
