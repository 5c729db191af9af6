package dev.leasehold.watch.database;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A slow call that many may wait for and that runs once at a time, on one daemon thread.
 *
 * <p>Who comes while it runs shares its answer. Who has waited long enough goes away; the call goes on, and the next one to
 * come waits for it instead of starting a second. So any number of callers costs one thread. Thread-safe.
 */
public final class SharedCall<T> implements AutoCloseable {

    private final Callable<T> call;
    private final ExecutorService thread;
    private final Object lock = new Object();
    private @Nullable CompletableFuture<T> inFlight;
    private volatile @Nullable Throwable lastFailure;

    public SharedCall(String threadName, Callable<T> call) {
        this.call = call;
        this.thread = Executors.newSingleThreadExecutor(task -> {
            var daemon = new Thread(task, threadName);
            daemon.setDaemon(true);
            return daemon;
        });
    }

    /** The answer of the call in flight, or of a new one, waiting for at most {@code bound}. */
    public T await(Duration bound) throws InterruptedException, ExecutionException, TimeoutException {
        return inFlight().get(bound.toNanos(), TimeUnit.NANOSECONDS);
    }

    private CompletableFuture<T> inFlight() throws ExecutionException {
        synchronized (lock) {
            if (inFlight == null || inFlight.isDone()) {
                var started = new CompletableFuture<T>();
                try {
                    thread.execute(() -> run(started));
                } catch (RejectedExecutionException e) {
                    throw new ExecutionException(e);
                }
                inFlight = started;
            }
            return inFlight;
        }
    }

    private void run(CompletableFuture<T> answer) {
        try {
            T result = call.call();
            lastFailure = null;
            answer.complete(result);
        } catch (Throwable e) {
            lastFailure = e;
            answer.completeExceptionally(e);
        }
    }

    /** How the last call that ended failed, for who is tired of waiting for the next; empty if it did not. */
    public Optional<Throwable> lastFailure() {
        return Optional.ofNullable(lastFailure);
    }

    /** Interrupts the call in flight; later calls fail. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
