package dev.leasehold;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Names threads, numbered from 1; none keeps the JVM alive. */
final class DaemonThreads {

    private DaemonThreads() {}

    static ThreadFactory named(String name) {
        var made = new AtomicInteger();
        return work -> {
            var thread = new Thread(work, name + "-" + made.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
