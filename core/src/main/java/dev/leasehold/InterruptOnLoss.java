package dev.leasehold;

import org.jspecify.annotations.Nullable;

/** Interrupts the thread that works when the trust in its lease ends, and never after the work has ended. Thread-safe. */
final class InterruptOnLoss implements Runnable {

    private final Thread worker = Thread.currentThread();
    private boolean hasEnded;
    private boolean hasInterrupted;

    private InterruptOnLoss() {}

    static <E extends Exception> void run(Lease lease, LeasedWork<E> work) throws E {
        var interruption = new InterruptOnLoss();
        lease.whenTrustEnds(interruption);
        try {
            work.run(lease);
        } catch (Throwable thrown) {
            if (interruption.end(lease)) {
                throw lost(lease, thrown);
            }
            throw thrown;
        }
        if (interruption.end(lease)) {
            throw lost(lease, null);
        }
    }

    private static LeaseLostException lost(Lease lease, @Nullable Throwable thrown) {
        var lost = new LeaseLostException(
                lease,
                "the work under lease " + lease.name() + " (holder " + lease.holder() + ", fence " + lease.fence()
                        + ") was interrupted, for its trust had ended: it is " + lease.state());
        if (thrown != null) {
            lost.addSuppressed(thrown);
        }
        return lost;
    }

    @Override
    public synchronized void run() {
        if (!hasEnded && !hasInterrupted) {
            hasInterrupted = true;
            worker.interrupt();
        }
    }

    /** Whether that thread works here, and was interrupted. */
    synchronized boolean hasInterrupted(Thread thread) {
        return hasInterrupted && worker == thread;
    }

    /** Whether it was interrupted; the flag of the thread is taken back then. */
    private synchronized boolean end(Lease lease) {
        lease.forget(this);
        hasEnded = true;
        if (hasInterrupted) {
            Thread.interrupted();
        }
        return hasInterrupted;
    }
}
