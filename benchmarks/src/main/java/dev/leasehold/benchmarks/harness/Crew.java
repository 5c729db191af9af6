package dev.leasehold.benchmarks.harness;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Threads that do the same over and over, from one moment to another. */
public final class Crew implements AutoCloseable {

    /** One turn of one thread. */
    @FunctionalInterface
    public interface Turn {
        void take(int thread, int turn) throws Exception;
    }

    /**
     * What was done.
     *
     * @param turns by all threads
     * @param seconds from the common start until the last had ended
     */
    public record Done(long turns, double seconds) {

        public double perSecond() {
            return turns / seconds;
        }
    }

    private final int size;
    private final ExecutorService threads;

    public Crew(int size) {
        this.size = size;
        this.threads = Executors.newFixedThreadPool(size);
    }

    /** As many turns as fit in; one each at least. */
    public Done workFor(Duration window, Turn turn) throws Exception {
        return workFor(window, Long.MAX_VALUE, turn);
    }

    /** As many turns as fit in, but no more than those in all. */
    public Done workFor(Duration window, long most, Turn turn) throws Exception {
        var left = new AtomicLong(most);
        var start = new CountDownLatch(1);
        var all = new ArrayList<Future<Integer>>();
        for (int i = 0; i < size; i++) {
            int thread = i;
            all.add(threads.submit(() -> {
                start.await();
                long end = System.nanoTime() + window.toNanos();
                int turns = 0;
                while (left.getAndDecrement() > 0 && (turns == 0 || System.nanoTime() - end < 0)) {
                    turn.take(thread, turns++);
                }
                return turns;
            }));
        }
        long began = System.nanoTime();
        start.countDown();
        return finish(all, began);
    }

    /** That many turns each. */
    public Done workTurns(int turns, Turn turn) throws Exception {
        var all = new ArrayList<Future<Integer>>();
        long began = System.nanoTime();
        for (int i = 0; i < size; i++) {
            int thread = i;
            all.add(threads.submit(() -> {
                for (int done = 0; done < turns; done++) {
                    turn.take(thread, done);
                }
                return turns;
            }));
        }
        return finish(all, began);
    }

    private static Done finish(Iterable<Future<Integer>> all, long began) throws Exception {
        long turns = 0;
        for (Future<Integer> one : all) {
            turns += one.get();
        }
        return new Done(turns, (System.nanoTime() - began) / 1e9);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
