package dev.leasehold.spring.database;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A slow call that many may wait for and that runs once at a time, on one daemon thread.
 *
 * <p>Who comes while it runs shares its answer. Who has waited long enough goes away; the call goes on, and the next one to
 * come waits for it instead of starting a second. So any number of callers costs one thread.
 *
 * <p>A call may never return: a driver that waits for a server which is gone does not notice. After a while, its patience, it
 * is interrupted and given up, and who comes next starts another on a new thread. Each time the patience doubles, until a call
 * ends by itself, so that the threads of calls that never return stay few. Thread-safe.
 */
public final class SharedCall<T> implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(45);

    private record Flight<T>(CompletableFuture<T> answer, long startNanos) {}

    private final String threadName;
    private final Duration firstPatience;
    private final Supplier<Callable<T>> calls;
    private final Object lock = new Object();
    private ExecutorService thread;
    private Duration patience;
    private @Nullable Flight<T> inFlight;
    private volatile @Nullable Throwable lastFailure;

    /** With a patience of 45 seconds: pools and drivers mostly give up before. */
    public SharedCall(String threadName, Callable<T> call) {
        this(threadName, PATIENCE, call);
    }

    /**
     * A call on a thread of that name.
     *
     * @param patience after how long the first call is given up
     */
    public SharedCall(String threadName, Duration patience, Callable<T> call) {
        this(patience, threadName, always(call));
    }

    private SharedCall(Duration patience, String threadName, Supplier<Callable<T>> calls) {
        this.threadName = threadName;
        this.firstPatience = patience;
        this.patience = patience;
        this.calls = calls;
        this.thread = newThread();
    }

    /** Calls that know of themselves: each is asked for by who comes first, before anybody waits for it. */
    static <T> SharedCall<T> ofEach(String threadName, Supplier<Callable<T>> calls) {
        return new SharedCall<>(PATIENCE, threadName, calls);
    }

    private static <T> Supplier<Callable<T>> always(Callable<T> call) {
        Objects.requireNonNull(call, "call");
        return () -> call;
    }

    /**
     * The answer of the call in flight, or of a new one, waiting for at most {@code bound}.
     *
     * @throws ExecutionException if the call threw, with that as its cause; or if this is closed
     * @throws TimeoutException if there was no answer within the bound
     */
    public T await(Duration bound) throws InterruptedException, ExecutionException, TimeoutException {
        return inFlight().get(bound.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Has a call begin unless one is in flight, and waits for none; does nothing once this is closed. */
    public void start() {
        try {
            var unused = inFlight();
        } catch (ExecutionException e) {
            // closed
        }
    }

    /**
     * The answer of the call in flight, or of a new one, for who wants to look at it again after a wait.
     *
     * @throws ExecutionException if this is closed
     */
    CompletableFuture<T> inFlight() throws ExecutionException {
        synchronized (lock) {
            if (inFlight != null && !inFlight.answer().isDone()) {
                if (System.nanoTime() - inFlight.startNanos() < patience.toNanos() || thread.isShutdown()) {
                    return inFlight.answer();
                }
                thread.shutdownNow();
                thread = newThread();
                patience = patience.multipliedBy(2);
            }
            var started = new CompletableFuture<T>();
            Callable<T> call = calls.get();
            try {
                thread.execute(() -> run(call, started));
            } catch (RejectedExecutionException e) {
                throw new ExecutionException(e);
            }
            inFlight = new Flight<>(started, System.nanoTime());
            return started;
        }
    }

    private void run(Callable<T> call, CompletableFuture<T> answer) {
        try {
            T result = call.call();
            ended(answer, null);
            answer.complete(result);
        } catch (Throwable e) {
            ended(answer, e);
            answer.completeExceptionally(e);
        }
    }

    /** One that was given up has no say any more. */
    private void ended(CompletableFuture<T> answer, @Nullable Throwable failure) {
        synchronized (lock) {
            if (inFlight != null && inFlight.answer() == answer) {
                patience = firstPatience;
                lastFailure = failure;
            }
        }
    }

    /** How the last call that ended failed, for who is tired of waiting for the next; empty if it did not. */
    public Optional<Throwable> lastFailure() {
        return Optional.ofNullable(lastFailure);
    }

    private ExecutorService newThread() {
        return Executors.newSingleThreadExecutor(task -> {
            var daemon = new Thread(task, threadName);
            daemon.setDaemon(true);
            return daemon;
        });
    }

    /** Interrupts the call in flight; later calls fail. */
    @Override
    public void close() {
        synchronized (lock) {
            thread.shutdownNow();
        }
    }
}
