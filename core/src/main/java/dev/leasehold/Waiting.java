package dev.leasehold;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks for a lease again and again until it is acquired or the wait is over, and holds nothing meanwhile. Thread-safe. */
final class Waiting {

    private static final Logger log = LoggerFactory.getLogger(Waiting.class);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final Function<LeaseRequest, Acquisition> asking;
    private final Waiters waiters;
    private final BooleanSupplier closed;

    Waiting(Function<LeaseRequest, Acquisition> asking, Waiters waiters, BooleanSupplier closed) {
        this.asking = asking;
        this.waiters = waiters;
        this.closed = closed;
    }

    Acquisition acquire(LeaseRequest request, Duration wait) throws InterruptedException {
        if (wait.isNegative()) {
            throw new IllegalArgumentException("wait is " + wait + ", but must be zero or more");
        }
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before lease " + request.name() + " was asked for");
        }
        // Joined before the first try, so that no release between a try and the pause after it is missed.
        Semaphore released = waiters.join(request.name());
        try {
            return acquire(request, TimeUnit.NANOSECONDS.convert(wait), released);
        } finally {
            waiters.leave(request.name(), released);
        }
    }

    private Acquisition acquire(LeaseRequest request, long waitNanos, Semaphore released) throws InterruptedException {
        var patience = new Patience(LONGEST_PAUSE);
        long start = System.nanoTime();
        while (true) {
            Duration pause;
            try {
                Acquisition answer = asking.apply(request);
                if (answer.lease().isPresent() || leftNanos(start, waitNanos) <= 0) {
                    return answer;
                }
                pause = patience.after(answer);
            } catch (LeaseException e) {
                if (Thread.interrupted()) {
                    throw interrupted(request.name(), e);
                }
                if (closed.getAsBoolean() || SqlState.isForGood(e) || leftNanos(start, waitNanos) <= 0) {
                    throw e;
                }
                pause = patience.afterNothing();
                log.debug("lease {} is asked for again in {} ms: {}", request.name(), pause.toMillis(), e.getMessage());
            }
            pause(released, Math.min(pause.toNanos(), leftNanos(start, waitNanos)));
        }
    }

    private static long leftNanos(long start, long waitNanos) {
        return waitNanos - (System.nanoTime() - start);
    }

    private static void pause(Semaphore released, long nanos) throws InterruptedException {
        if (released.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
            released.drainPermits();
        }
    }

    private static InterruptedException interrupted(String name, LeaseException cause) {
        var interrupted = new InterruptedException("interrupted while waiting for lease " + name);
        interrupted.initCause(cause);
        return interrupted;
    }
}
