package dev.leasehold.rounds;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** One thread that hands over what is to be done later. What it runs is short. Thread-safe. */
final class RoundTimer {

    private final ScheduledThreadPoolExecutor thread;

    RoundTimer() {
        this.thread = new ScheduledThreadPoolExecutor(1, work -> {
            var timer = new Thread(work, "leasehold-rounds");
            timer.setDaemon(true);
            return timer;
        });
        thread.setRemoveOnCancelPolicy(true);
    }

    /**
     * Answers how to call it off.
     *
     * @throws RejectedExecutionException after the end
     */
    Runnable after(Duration pause, Runnable work) {
        Future<?> later = thread.schedule(work, TimeUnit.NANOSECONDS.convert(pause), TimeUnit.NANOSECONDS);
        return () -> later.cancel(false);
    }

    void end() {
        thread.shutdownNow();
    }
}
