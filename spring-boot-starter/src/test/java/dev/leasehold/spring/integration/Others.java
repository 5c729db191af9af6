package dev.leasehold.spring.integration;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** Threads that are not the test's. */
final class Others {

    private Others() {}

    /** What another thread answers, which ends with it. */
    static <T> T answer(Callable<T> work) throws Exception {
        return start(work).task.get(20, TimeUnit.SECONDS);
    }

    static <T> Running<T> start(Callable<T> work) {
        var task = new FutureTask<>(work);
        var thread = new Thread(task, "another");
        thread.start();
        return new Running<>(thread, task);
    }

    record Running<T>(Thread thread, FutureTask<T> task) {

        T get() throws Exception {
            return task.get(20, TimeUnit.SECONDS);
        }

        boolean isWaiting() {
            return thread.getState() == Thread.State.TIMED_WAITING || thread.getState() == Thread.State.WAITING;
        }
    }
}
