package dev.leasehold.rounds;

import java.lang.reflect.InvocationTargetException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads that make passes and runs: virtual ones where Java has them (21 and later), else daemons. */
final class Workers {

    private static final String NAME = "leasehold-round-";
    private static final int IDLE_SECONDS = 30;

    private Workers() {}

    /** Made by reflection, for this is compiled for Java 17. */
    private static Optional<ThreadFactory> virtualThreads() {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            Class<?> type = Class.forName("java.lang.Thread$Builder");
            Object named = type.getMethod("name", String.class, long.class).invoke(builder, NAME, 1L);
            return Optional.of((ThreadFactory) type.getMethod("factory").invoke(named));
        } catch (NoSuchMethodException | ClassNotFoundException | InvocationTargetException e) {
            return Optional.empty();
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("this Java has virtual threads, but made none", e);
        }
    }

    static ThreadFactory threads() {
        return virtualThreads().orElseGet(Workers::daemons);
    }

    /** With a limit, what finds no free worker waits for one, first come first served. */
    static ExecutorService of(OptionalInt most, ThreadFactory threads) {
        if (most.isEmpty()) {
            return Executors.newCachedThreadPool(threads);
        }
        var workers = new ThreadPoolExecutor(
                most.getAsInt(), most.getAsInt(), IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
        workers.allowCoreThreadTimeOut(true);
        return workers;
    }

    private static ThreadFactory daemons() {
        var made = new AtomicInteger();
        return work -> {
            var thread = new Thread(work, NAME + made.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
