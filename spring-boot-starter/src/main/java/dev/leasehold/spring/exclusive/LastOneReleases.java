package dev.leasehold.spring.exclusive;

import dev.leasehold.Lease;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A lease that is used by several, the last of which releases it. Thread-safe. */
final class LastOneReleases {

    private final Lease lease;
    private final RunningCalls calls;
    private final AtomicInteger users = new AtomicInteger();

    LastOneReleases(Lease lease, RunningCalls calls) {
        this.lease = lease;
        this.calls = calls;
    }

    /** One more, the calling thread, while there is one at least, or it is the first. */
    User user() {
        return user(calls.begin(this));
    }

    /** As {@link #user()}, for work on other threads. */
    User userElsewhere() {
        return user(calls.beginElsewhere(this));
    }

    private User user(RunningCalls.Work work) {
        users.incrementAndGet();
        return new User(work);
    }

    /** One who uses the lease until it is closed. */
    final class User implements AutoCloseable {

        private final AtomicBoolean closed = new AtomicBoolean();
        private final RunningCalls.Work work;

        private User(RunningCalls.Work work) {
            this.work = work;
        }

        @Override
        public void close() {
            if (closed.getAndSet(true)) {
                return;
            }
            try {
                if (users.decrementAndGet() == 0) {
                    lease.release();
                }
            } finally {
                work.end();
            }
        }
    }
}
