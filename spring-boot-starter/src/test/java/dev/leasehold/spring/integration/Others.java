package dev.leasehold.spring.integration;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Threads that are not the test's. */
final class Others {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private Others() {}

    /** For what others do in their own time. */
    static ConditionFactory await() {
        return Awaitility.await().atMost(LIMIT);
    }

    /** What another thread answers, which ends with it. */
    static <T> T answer(Callable<T> work) throws Exception {
        return start(work).get();
    }

    static <T> Running<T> start(Callable<T> work) {
        var task = new FutureTask<>(work);
        var thread = new Thread(task, "another");
        thread.start();
        return new Running<>(thread, task);
    }

    record Running<T>(Thread thread, FutureTask<T> task) {

        T get() throws Exception {
            return task.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        }

        boolean isWaiting() {
            return thread.getState() == Thread.State.TIMED_WAITING || thread.getState() == Thread.State.WAITING;
        }
    }
}
