package dev.leasehold;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The holdings of one {@link Leases} that have not ended. Thread-safe. */
final class Holdings {

    private final Set<HoldingLoop> loops = ConcurrentHashMap.newKeySet();
    private boolean closed;

    Holding start(HoldingBuilder described, HoldingLoop.Asking asking, Wiring wiring) {
        var loop = new HoldingLoop(described, asking, wiring.bound(), loops::remove);
        synchronized (this) {
            if (closed) {
                throw new LeaseException("lease " + loop.name() + " cannot be held on to: the leases are closed");
            }
            loops.add(loop);
        }
        try {
            loop.start();
        } catch (Throwable thrown) {
            loops.remove(loop);
            throw thrown;
        }
        return new Holding(loop);
    }

    /** Ends all, each on its own thread, so that together they take as long as the slowest. */
    void close() {
        synchronized (this) {
            closed = true;
        }
        loops.forEach(HoldingLoop::end);
        loops.forEach(HoldingLoop::awaitEnd);
    }
}
