package dev.leasehold.watch.jobs;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;

/** Makes threads that keep no process alive and are named by what they do, with a number. Thread-safe. */
public final class NamedDaemons implements ThreadFactory {

    private final String name;
    private final AtomicLong count = new AtomicLong();

    public NamedDaemons(String name) {
        this.name = name;
    }

    @Override
    public Thread newThread(Runnable work) {
        Thread thread = new Thread(work, name + "-" + count.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }
}
