package dev.leasehold;

import dev.leasehold.internal.SafeLog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells every listener, on a thread of its own and in the order of the events; what one throws is logged and keeps nothing
 * from the others. Thread-safe.
 */
final class Listeners implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Listeners.class);

    private final List<LeaseListener> all;
    private final ThreadLocal<Boolean> isTelling = ThreadLocal.withInitial(() -> false);
    private final ExecutorService teller =
            Executors.newSingleThreadExecutor(DaemonThreads.named("leasehold-listeners"));

    Listeners(List<LeaseListener> all) {
        this.all = List.copyOf(all);
    }

    /** Those of the lease alone too. */
    void tell(Lease lease, Consumer<LeaseListener> event) {
        lease.alsoTold().filter(own -> own != this).ifPresent(own -> own.tellHere(lease, event));
        tellHere(lease, event);
    }

    private void tellHere(Lease lease, Consumer<LeaseListener> event) {
        if (all.isEmpty()) {
            return;
        }
        try {
            teller.execute(() -> {
                isTelling.set(true);
                all.forEach(listener -> tell(lease, listener, event));
            });
        } catch (RejectedExecutionException e) {
            log.debug("the listeners of lease {} are not told any more: the leases are closed", lease.name());
        } catch (Throwable noThread) {
            SafeLog.error(log, "the listeners of lease " + lease.name() + " could not be told", noThread);
        }
    }

    private static void tell(Lease lease, LeaseListener listener, Consumer<LeaseListener> event) {
        try {
            event.accept(listener);
        } catch (Throwable thrown) {
            SafeLog.error(log, "a listener of lease " + lease.name() + " threw", thrown);
        }
    }

    /** Whether it is a listener that asks. */
    boolean isTelling() {
        return isTelling.get();
    }

    /** Tells what has happened before, within the limit. */
    void close(Duration limit) {
        teller.shutdown();
        try {
            if (!teller.awaitTermination(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                log.warn("a listener has not returned within {}", limit);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        close(Duration.ZERO);
    }
}
