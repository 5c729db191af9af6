package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The order of what the listener of a holding is told. */
class OneLeaseAtATimeTest {

    private final Ticker ticker = Ticker.system();
    private final Events events = new Events();
    private final OneLeaseAtATime told = new OneLeaseAtATime(events);
    private final Lease first = lease(1);
    private final Lease second = lease(2);

    private Lease lease(long fence) {
        return new Lease(
                new Gained(
                        new LeaseKey("feed", "h" + fence, fence),
                        Optional.empty(),
                        0,
                        new LeaseTerms(Duration.ofMinutes(1), Duration.ofSeconds(15), Duration.ofSeconds(5)),
                        ticker.read()),
                ticker,
                new Pending());
    }

    /** Gives leases that are never known to be released. */
    private static final class Pending implements Lease.Origin {

        @Override
        public ReleaseOutcome release(Lease lease, Ending ending) {
            return ReleaseOutcome.PENDING;
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

    @Test
    void aReleaseOfUnknownOutcomeEndsBeforeTheNextGainAndIsNotToldAgain() {
        told.gained(first);
        told.gained(second);
        told.unconfirmed(first);
        told.released(first);
        told.lost(first, LossReason.DELETED);
        told.unconfirmed(second);
        told.reconfirmed(second);
        told.lost(second, LossReason.DELETED);
        OneLeaseAtATime.end(told);
        assertThat(events.seen())
                .containsExactly("gained", "released", "gained", "unconfirmed", "reconfirmed", "lost DELETED");
    }

    @Test
    void whatHasNotEndedIsReleasedAtTheEnd() {
        told.gained(first);
        OneLeaseAtATime.end(told);
        told.released(first);
        assertThat(events.seen()).containsExactly("gained", "released");
    }
}
