package dev.leasehold;

import dev.leasehold.LeaseTable.Extension;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Gives leases another limit. Thread-safe. */
final class Extender {

    private static final Duration PAUSE = Duration.ofMillis(200);

    private final Wiring wiring;
    private final Consumer<Lease> whenLimited;

    /**
     * @param whenLimited told of each lease whose own deadline may be earlier than it was
     */
    Extender(Wiring wiring, Consumer<Lease> whenLimited) {
        this.wiring = wiring;
        this.whenLimited = whenLimited;
    }

    boolean extend(Lease lease, Duration limit) {
        LeaseRequest.checkLimit(limit);
        if (lease.limit().isEmpty()) {
            throw new IllegalStateException(
                    "lease " + lease.name() + " was acquired without a limit, so it has none to extend");
        }
        if (!lease.turns().beginExtension(wiring.bound().multipliedBy(2))) {
            throw new LeaseException(message(lease, "another extension of it is under way"));
        }
        try {
            return extendInTurn(lease, limit);
        } finally {
            lease.turns().endExtension();
        }
    }

    private boolean extendInTurn(Lease lease, Duration limit) {
        LeaseState state = lease.state();
        if (state == LeaseState.LOST || state == LeaseState.RELEASED) {
            return false;
        }
        Standing before = lease.standing();
        Limit old = lease.limit().orElseThrow();
        // The row may end at the new limit from the moment the request is sent, whether an answer comes or not.
        lease.limit(old.trustedUntil(trust(lease, limit, wiring.ticker().read())));
        whenLimited.accept(lease);
        try {
            return isExtended(lease, new Extension(old.sinceAcquired(), limit));
        } catch (SQLException e) {
            if (!UnknownOutcomeException.mayHaveLanded(e)) {
                boolean unused = lease.move(standing -> standing.limited(old).renewed(before.deadline()));
            }
            String why = isLocked(e)
                    ? "another transaction has its row locked; it need not be lost"
                    : e.getMessage() + Hint.of(e);
            throw new LeaseException(message(lease, why), e);
        }
    }

    /** A locked row is not waited for in the lane, where others have their turn meanwhile. */
    private boolean isExtended(Lease lease, Extension extension) throws SQLException {
        long start = System.nanoTime();
        while (true) {
            Reading sent = wiring.ticker().read();
            try {
                Optional<Duration> sinceAcquired = wiring.table()
                        .extend(
                                wiring.shared(),
                                lease.key(),
                                extension,
                                lease.terms().ttl(),
                                wiring.bound());
                sinceAcquired.ifPresent(limit -> extended(lease, limit, extension.after(), sent));
                return sinceAcquired.isPresent();
            } catch (SQLException e) {
                boolean isOver =
                        System.nanoTime() - start > wiring.bound().dividedBy(2).toNanos();
                if (!isLocked(e) || isOver || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private static void extended(Lease lease, Duration sinceAcquired, Duration fromNow, Reading sent) {
        var limit = new Limit(sinceAcquired, trust(lease, fromNow, sent));
        Deadline reached = Deadline.after(sent, lease.terms().trust());
        boolean unused = lease.move(standing -> standing.limited(limit).renewed(reached));
    }

    private static Deadline trust(Lease lease, Duration limit, Reading sent) {
        return Deadline.after(sent, lease.terms().trust(limit));
    }

    private static boolean isLocked(SQLException e) {
        return SqlState.LOCK_NOT_AVAILABLE.isIn(e);
    }

    private static String message(Lease lease, String why) {
        return "lease " + lease.name() + " could not be extended: " + why;
    }
}
