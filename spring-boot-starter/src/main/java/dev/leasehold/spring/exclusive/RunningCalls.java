package dev.leasehold.spring.exclusive;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What works under leases of exclusive methods, whatever thread it is on. Thread-safe. */
final class RunningCalls {

    private final Set<Work> running = new HashSet<>();
    private final Set<LastOneReleases> awaited = new HashSet<>();
    private final List<Stop> stops = new ArrayList<>();

    /** What the calling thread does under that lease from here on. */
    Work begin(LastOneReleases lease) {
        return begin(new Work(lease, Thread.currentThread()));
    }

    /** What others do under it from here on. */
    Work beginElsewhere(LastOneReleases lease) {
        return begin(new Work(lease, null));
    }

    private synchronized Work begin(Work work) {
        running.add(work);
        return work;
    }

    /** Something that is under way until its end. */
    final class Work {

        private final LastOneReleases lease;
        private final @Nullable Thread thread;

        private Work(LastOneReleases lease, @Nullable Thread thread) {
            this.lease = lease;
            this.thread = thread;
        }

        void end() {
            synchronized (RunningCalls.this) {
                running.remove(this);
            }
            answer();
        }
    }

    /** Leases, not their work, for a method may return a stage later. Work that stops the application itself cannot be waited for. */
    private record Stop(Thread by, Set<LastOneReleases> leases, Runnable callback) {
        boolean waitsFor(Work work) {
            return leases.contains(work.lease) && work.thread != by;
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

    /** Forgets for which leases somebody has waited. */
    synchronized void start() {
        awaited.clear();
    }

    /**
     * Runs the callback when the leases that are in use now, and for which nobody has waited since the start, are in use no more.
     * What begins later counts for nothing: where there is no gap between calls, the stop would never end.
     */
    void stop(Runnable callback) {
        synchronized (this) {
            Set<LastOneReleases> leases = running.stream()
                    .map(work -> work.lease)
                    .filter(lease -> !awaited.contains(lease))
                    .collect(Collectors.toSet());
            awaited.addAll(leases);
            stops.add(new Stop(Thread.currentThread(), leases, callback));
        }
        answer();
    }
}
