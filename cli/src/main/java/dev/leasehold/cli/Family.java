package dev.leasehold.cli;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A process and what it has started, to be ended together. Of one that has ended nobody can tell any more what it had started: so
 * they are looked for again and again while it goes on. For one thread.
 */
final class Family {

    private static final Duration LOOK = Duration.ofMillis(50);
    /** A dead process that nobody waits for looks alive: it is not waited for without end. */
    private static final Duration AFTER_KILL = Duration.ofSeconds(1);

    private final Set<ProcessHandle> known = new LinkedHashSet<>();

    Family(ProcessHandle top) {
        known.add(top);
    }

    /** Tells all of them to end by SIGTERM, each once, and kills those that are left after that patience. */
    void end(Duration patience) throws InterruptedException {
        long start = System.nanoTime();
        newcomers();
        known.forEach(ProcessHandle::destroy);
        while (isOneAlive()) {
            long left = patience.toNanos() - (System.nanoTime() - start);
            if (left <= 0) {
                kill();
                return;
            }
            TimeUnit.NANOSECONDS.sleep(Math.min(left, LOOK.toNanos()));
            newcomers().forEach(ProcessHandle::destroy);
        }
    }

    private void kill() throws InterruptedException {
        long start = System.nanoTime();
        do {
            newcomers();
            known.forEach(ProcessHandle::destroyForcibly);
            // Once more: one of them may have started another between the look and its end.
            newcomers().forEach(ProcessHandle::destroyForcibly);
            TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
        } while (isOneAlive() && System.nanoTime() - start < AFTER_KILL.toNanos());
    }

    private boolean isOneAlive() {
        return known.stream().anyMatch(ProcessHandle::isAlive);
    }

    /** What the known ones have started and was not known yet. */
    private List<ProcessHandle> newcomers() {
        var found = new LinkedHashSet<ProcessHandle>();
        for (ProcessHandle one : known) {
            // Another process may have the number of a dead one.
            if (!found.contains(one) && one.isAlive()) {
                one.descendants().forEach(found::add);
            }
        }
        return found.stream().filter(known::add).toList();
    }
}
