package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When a lease is renewed next, on clocks that stand where they are put. */
class RenewingTest {

    private static final Reading SENT = new Reading(0, Instant.parse("2026-03-01T00:00:00Z"));
    /** Trusted for 110 s. */
    private static final LeaseTerms TERMS =
            new LeaseTerms(Duration.ofMinutes(2), Duration.ofSeconds(30), Duration.ofSeconds(10));

    private static final Duration TRUST = TERMS.trust();
    private static final int SAMPLES = 200;

    private static Reading after(Duration time) {
        return new Reading(time.toNanos(), SENT.wall().plus(time));
    }

    private static Renewing renewing(LeaseTerms terms) {
        var key = new LeaseKey("sweep", "me", 1);
        var lease = new Lease(new Gained(key, Optional.empty(), 0, terms, SENT), () -> SENT, new NoOrigin());
        return new Renewing(lease, SENT);
    }

    private static Duration nextAfterAFailure(Renewing renewing, Duration time) {
        renewing.tryAgain(after(time));
        return renewing.nextIn(after(time));
    }

    /** Within half of the longest pause and the whole of it, at random. */
    private static void assertTriedAgain(LeaseTerms terms, Duration time, Duration longest) {
        var renewing = renewing(terms);
        var pauses = new HashSet<Duration>();
        for (int i = 0; i < SAMPLES; i++) {
            Duration pause = nextAfterAFailure(renewing, time);
            assertThat(pause).isGreaterThanOrEqualTo(longest.dividedBy(2)).isLessThan(longest);
            pauses.add(pause);
        }
        assertThat(pauses).as("jitter").hasSizeGreaterThan(SAMPLES / 2);
    }

    @Test
    void withoutAFailureTheNextRenewalComesAfterAPeriodFromTheSend() {
        assertThat(renewing(TERMS).nextIn(after(Duration.ofSeconds(1)))).isEqualTo(Duration.ofSeconds(29));
    }

    @Test
    void afterAFailureTheNextTryComesInAFifthOfTheTimeThatIsLeftAtMostWithJitter() {
        assertTriedAgain(TERMS, Duration.ZERO, TRUST.dividedBy(5));
        assertTriedAgain(TERMS, Duration.ofSeconds(30), Duration.ofSeconds(16));
        assertTriedAgain(TERMS, Duration.ofSeconds(100), Duration.ofSeconds(2));
    }

    @Test
    void itComesNeverLaterThanAPlannedRenewalAndNotInABusyLoop() {
        var often = new LeaseTerms(Duration.ofMinutes(2), Duration.ofSeconds(5), Duration.ofSeconds(10));
        assertTriedAgain(often, Duration.ZERO, Duration.ofSeconds(5));
        assertTriedAgain(TERMS, TRUST.minusMillis(1), Duration.ofMillis(50));
    }

    @Test
    void pastTheDeadlineItGoesOnBecauseTheLeaseMayBeOursYet() {
        assertTriedAgain(TERMS, TRUST, Duration.ofMillis(7_500));
        assertTriedAgain(TERMS, TRUST.plusHours(1), Duration.ofMillis(7_500));
    }

    @Test
    void thereAreSeveralTriesBeforeTheDeadlineHoweverTheJitterFalls() {
        for (int i = 0; i < SAMPLES; i++) {
            var renewing = renewing(TERMS);
            int tries = 0;
            Duration time = renewing.nextIn(SENT);
            while (time.compareTo(TRUST) < 0) {
                tries++;
                time = time.plus(nextAfterAFailure(renewing, time));
            }
            assertThat(tries).isGreaterThan(10);
        }
    }

    private static final class NoOrigin implements Lease.Origin {

        @Override
        public ReleaseOutcome release(Lease lease, Ending ending) {
            throw new UnsupportedOperationException("no database here");
        }

        @Override
        public boolean extend(Lease lease, Duration limit) {
            throw new UnsupportedOperationException("no database here");
        }

        @Override
        public Fencing fencing() {
            throw new UnsupportedOperationException("no database here");
        }
    }
}
