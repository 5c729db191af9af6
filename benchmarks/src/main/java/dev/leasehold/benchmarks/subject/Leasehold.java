package dev.leasehold.benchmarks.subject;

import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.ReleaseOutcome;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/** This project's plain leases; their release need not wait for the disk. */
public final class Leasehold implements Subject {

    public static final String LABEL = "leasehold";

    @Override
    public String label() {
        return LABEL;
    }

    @Override
    public Optional<String> table() {
        return Optional.of("leases");
    }

    @Override
    public boolean renewsByItself() {
        return true;
    }

    @Override
    public boolean sharesStatementsAmongThreads() {
        return true;
    }

    @Override
    public void createTable(DataSource dataSource) {
        Leases.on(dataSource).build().close();
    }

    @Override
    public Contender contender(DataSource pool, Duration ttl) {
        return new Plain(Leases.on(pool).ttl(ttl).build());
    }

    private record Plain(Leases leases) implements Contender {

        @Override
        public Optional<Hold> tryAcquire(String name) {
            return leases.tryAcquire(name).lease().map(lease -> () -> requireNotLost(lease, lease.release()));
        }

        @Override
        public void close() {
            leases.close();
        }
    }

    /** A loser of a race may have the row locked for a moment: then the release goes on in the background. */
    static void requireNotLost(Lease lease, ReleaseOutcome outcome) {
        if (outcome == ReleaseOutcome.LOST) {
            throw new IllegalStateException(lease + " had been lost");
        }
    }
}
