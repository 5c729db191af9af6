package dev.leasehold;

import dev.leasehold.internal.SafeLog;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices own deadlines that pass, whatever keeps the renewal. Owns one thread, whose loop no Throwable ends. It looks
 * in time for the next deadline, and at least every second; a new deadline that comes sooner wakes it.
 */
final class DeadlineWatch implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(DeadlineWatch.class);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);

    private final Ticker ticker;
    private final Collection<Renewing> held;
    private final Consumer<Renewing> passed;
    private final Duration longestPause;
    private final Semaphore wake = new Semaphore(0);
    private final Thread thread;
    private volatile boolean closed;

    /**
     * @param held a live view
     * @param passed told of each lease that is unconfirmed, again and again while it is
     */
    DeadlineWatch(Ticker ticker, LeaseTerms terms, Collection<Renewing> held, Consumer<Renewing> passed) {
        this.ticker = ticker;
        this.held = held;
        this.passed = passed;
        Duration quarter = terms.trust().dividedBy(4);
        this.longestPause = quarter.compareTo(LONGEST_PAUSE) < 0 ? quarter : LONGEST_PAUSE;
        this.thread = DaemonThreads.named("leasehold-deadlines").newThread(this::loop);
    }

    void start() {
        thread.start();
    }

    /** A deadline is new, or earlier than it was: the next look may be too late for it. */
    void expect(Deadline deadline) {
        if (deadline.timeLeft(ticker.read()).compareTo(longestPause) < 0) {
            wake.release();
        }
    }

    private void loop() {
        while (!closed) {
            Duration pause = longestPause;
            try {
                pause = look();
            } catch (Throwable thrown) {
                SafeLog.error(log, "a look at the deadlines threw; the next one follows", thrown);
            }
            pause(pause);
        }
    }

    private void pause(Duration pause) {
        try {
            if (wake.tryAcquire(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                wake.drainPermits();
            }
        } catch (InterruptedException e) {
            log.debug("the look at the deadlines was interrupted; only closing ends it");
        }
    }

    private Duration look() {
        Reading now = ticker.read();
        Duration pause = longestPause;
        for (Renewing renewing : held) {
            Duration left = renewing.lease().standing().deadline().timeLeft(now);
            if (left.compareTo(Duration.ZERO) <= 0) {
                passed.accept(renewing);
            } else if (left.compareTo(pause) < 0) {
                pause = left;
            }
        }
        return pause.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : pause;
    }

    @Override
    public void close() {
        closed = true;
        wake.release();
    }
}
