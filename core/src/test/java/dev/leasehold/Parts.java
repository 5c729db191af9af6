package dev.leasehold;

import dev.leasehold.internal.TableName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** The parts of {@link Leases} without their threads, for tests that drive one of them by hand. */
record Parts(Wiring wiring, Renewer renewer) implements AutoCloseable {

    static Parts of(DataSource dataSource, Duration ttl, Ticker ticker, LeaseListener listener) {
        var statements = new Statements(dataSource);
        var table = TableName.of(LeasesBuilder.DEFAULT_TABLE);
        var wiring = new Wiring(
                new LeaseTable(statements, table),
                new SlotTable(statements, table),
                new Lane("part", 2),
                new Lane("part-renewal", 1),
                new Background(),
                new Listeners(List.of(listener)),
                new SafeMetrics(List.of()),
                new LeaseTerms(ttl, ttl.dividedBy(4), ttl.dividedBy(12)),
                ticker);
        return new Parts(wiring, new Renewer(wiring));
    }

    /** A lease of fence 1 and of the holder "me", acquired by a request that was sent at that moment; no row is made. */
    Lease lease(String name, Reading sent) {
        var gained = new Gained(new LeaseKey(name, "me", 1), Optional.empty(), 0, wiring.terms(), sent);
        return new Lease(gained, wiring.ticker(), new NoOrigin());
    }

    @Override
    public void close() {
        wiring.background().close();
        wiring.shared().close();
        wiring.renewal().close();
        wiring.listeners().close();
    }

    private static final class NoOrigin implements Lease.Origin {

        @Override
        public ReleaseOutcome release(Lease lease, Ending ending) {
            throw new UnsupportedOperationException("released by nobody");
        }

        @Override
        public boolean extend(Lease lease, Duration limit) {
            throw new UnsupportedOperationException("extended by nobody");
        }

        @Override
        public Fencing fencing() {
            throw new UnsupportedOperationException("fenced by hand only");
        }
    }
}
