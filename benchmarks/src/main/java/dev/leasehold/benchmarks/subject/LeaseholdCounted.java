package dev.leasehold.benchmarks.subject;

import dev.leasehold.Acquisition;
import dev.leasehold.Grid;
import dev.leasehold.Lease;
import dev.leasehold.Leases;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/** This project's leases for the slots of a round; their release counts the slot and waits for the disk. */
public final class LeaseholdCounted implements Subject {

    public static final String LABEL = "leasehold, counted";
    private static final String TABLE = "leases_of_slots";
    private static final Grid SHORTEST = Grid.every(Duration.ofMillis(1));

    @Override
    public String label() {
        return LABEL;
    }

    @Override
    public Optional<String> table() {
        return Optional.of(TABLE);
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
        Leases.on(dataSource).table(TABLE).build().close();
    }

    @Override
    public Contender contender(DataSource pool, Duration ttl) {
        return new Counted(Leases.on(pool).table(TABLE).ttl(ttl).build());
    }

    private record Counted(Leases leases) implements Contender {

        /** A slot that was counted less than a millisecond ago is not due: the next one is waited for, at our cost. */
        @Override
        public Optional<Hold> tryAcquire(String name) {
            Acquisition answer = leases.tryAcquireSlot(name, SHORTEST);
            while (answer instanceof Acquisition.NotDue) {
                answer = leases.tryAcquireSlot(name, SHORTEST);
            }
            return answer.lease().map(lease -> () -> release(lease));
        }

        private static void release(Lease lease) {
            Leasehold.requireNotLost(lease, lease.releaseDone());
        }

        @Override
        public void close() {
            leases.close();
        }
    }
}
