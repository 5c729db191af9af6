package dev.leasehold;

import dev.leasehold.LeaseTable.Extension;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** Gives leases a limit, and another one. Thread-safe. */
final class Extender {

    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final Wiring wiring;

    Extender(Wiring wiring) {
        this.wiring = wiring;
    }

    static void check(Duration limit) {
        if (limit.compareTo(Duration.ZERO) <= 0 || limit.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "limit is " + limit + ", but must be more than zero, at most 36,500 days");
        }
    }

    /** Of a lease whose acquisition was sent at that moment. */
    void limit(Lease lease, Duration limit, Reading sent) {
        lease.limit(limit, Deadline.after(sent, lease.terms().trust(limit)));
    }

    boolean extend(Lease lease, Duration limit) {
        check(limit);
        Duration before = lease.limit()
                .orElseThrow(() -> new IllegalStateException(
                        "lease " + lease.name() + " was acquired without a limit, so it has none to extend"));
        LeaseState state = lease.state();
        if (state == LeaseState.LOST || state == LeaseState.RELEASED) {
            return false;
        }
        LeaseTerms terms = lease.terms();
        Reading sent = wiring.ticker().read();
        try {
            Optional<Duration> sinceAcquired = wiring.table()
                    .extend(wiring.shared(), lease.key(), new Extension(before, limit), terms.ttl(), wiring.bound());
            if (sinceAcquired.isEmpty()) {
                return false;
            }
            limit(lease, sinceAcquired.get(), limit, sent);
            return true;
        } catch (SQLException e) {
            String why = SqlState.LOCK_NOT_AVAILABLE.isIn(e)
                    ? "another transaction has its row locked; it need not be lost"
                    : e.getMessage() + Hint.of(e);
            throw new LeaseException("lease " + lease.name() + " could not be extended: " + why, e);
        }
    }

    private void limit(Lease lease, Duration sinceAcquired, Duration fromNow, Reading sent) {
        LeaseTerms terms = lease.terms();
        lease.limit(sinceAcquired, Deadline.after(sent, terms.trust(fromNow)));
        boolean unused = lease.move(standing -> standing.renewed(Deadline.after(sent, terms.trust())));
    }
}
