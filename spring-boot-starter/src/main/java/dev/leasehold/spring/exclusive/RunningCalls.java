package dev.leasehold.spring.exclusive;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * What works under leases of exclusive methods. When the application stops, the phase in which its schedulers stop waits for it,
 * whatever thread it is on, as long as phases may last; leases and pools are closed after that. Thread-safe.
 */
final class RunningCalls implements SmartLifecycle {

    private final Set<Work> running = new HashSet<>();
    private final List<Stop> stops = new ArrayList<>();
    private boolean isRunning;

    /** What the calling thread does from here on. */
    Work begin() {
        return begin(new Work(Thread.currentThread()));
    }

    /** What others do from here on. */
    Work beginElsewhere() {
        return begin(new Work(null));
    }

    private synchronized Work begin(Work work) {
        running.add(work);
        return work;
    }

    /** Something that is under way until its end. */
    final class Work {

        private final @Nullable Thread thread;

        private Work(@Nullable Thread thread) {
            this.thread = thread;
        }

        void end() {
            synchronized (RunningCalls.this) {
                running.remove(this);
            }
            answer();
        }
    }

    /** Work that stops the application itself cannot be waited for. */
    private record Stop(Thread by, Runnable callback) {
        boolean waitsFor(Work work) {
            return work.thread != by;
        }
    }

    private void answer() {
        List<Stop> over;
        synchronized (this) {
            over = stops.stream()
                    .filter(stop -> running.stream().noneMatch(stop::waitsFor))
                    .toList();
            stops.removeAll(over);
        }
        over.forEach(stop -> stop.callback().run());
    }

    @Override
    public synchronized void start() {
        isRunning = true;
    }

    @Override
    public void stop(Runnable callback) {
        synchronized (this) {
            isRunning = false;
            stops.add(new Stop(Thread.currentThread(), callback));
        }
        answer();
    }

    @Override
    public void stop() {
        stop(() -> {});
    }

    @Override
    public synchronized boolean isRunning() {
        return isRunning;
    }
}
