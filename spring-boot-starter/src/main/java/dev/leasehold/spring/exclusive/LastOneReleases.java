package dev.leasehold.spring.exclusive;

import dev.leasehold.Lease;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A lease that is used by several, the last of which releases it. Thread-safe. */
final class LastOneReleases {

    private final Lease lease;
    private final AtomicInteger users = new AtomicInteger();

    LastOneReleases(Lease lease) {
        this.lease = lease;
    }

    /** One more, while there is one at least, or it is the first. */
    User user() {
        users.incrementAndGet();
        return new User();
    }

    /** One who uses the lease until it is closed. */
    final class User implements AutoCloseable {

        private final AtomicBoolean closed = new AtomicBoolean();

        @Override
        public void close() {
            if (!closed.getAndSet(true) && users.decrementAndGet() == 0) {
                lease.release();
            }
        }
    }
}
