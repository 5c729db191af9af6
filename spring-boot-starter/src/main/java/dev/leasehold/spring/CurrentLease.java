package dev.leasehold.spring;

import dev.leasehold.Lease;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The leases under which the calling thread works at the moment: those of {@link Exclusive} methods and of rounds, and those it
 * was given here. Spring's transactions on this thread are fenced by them.
 *
 * <p>Not handed on to other threads.
 */
public final class CurrentLease {

    private static final ThreadLocal<@Nullable Deque<Lease>> LEASES = new ThreadLocal<>();

    private CurrentLease() {}

    /** The lease that was bound last; empty outside of exclusive work. */
    public static Optional<Lease> get() {
        return all().stream().findFirst();
    }

    /** All of them, the last bound first. */
    public static List<Lease> all() {
        Deque<Lease> leases = LEASES.get();
        return leases == null ? List.of() : List.copyOf(leases);
    }

    /**
     * For the beginning of work that must not run without: a call that went past the proxy, as from within the same bean, is
     * found out here.
     *
     * @return the lease
     * @throws IllegalStateException if this thread works under no lease of that name
     * @throws dev.leasehold.LeaseLostException if it is not known to be held any more
     */
    public static Lease require(String name) {
        Lease lease = named(name)
                .orElseThrow(() -> new IllegalStateException("this thread works under no lease of the name " + name
                        + ": was the method called from within its own bean, past the proxy?"));
        lease.checkHeld();
        return lease;
    }

    /** The lease of that name. */
    public static Optional<Lease> named(String name) {
        return all().stream().filter(lease -> lease.name().equals(name)).findFirst();
    }

    /**
     * Works under a lease that was acquired by hand, on this thread. Releases nothing.
     *
     * @throws E what the work throws
     */
    public static <T, E extends Throwable> @Nullable T during(Lease lease, Work<T, E> work) throws E {
        Deque<Lease> leases = LEASES.get();
        if (leases == null) {
            leases = new ArrayDeque<>();
            LEASES.set(leases);
        }
        leases.push(lease);
        try {
            return work.run();
        } finally {
            leases.pop();
            if (leases.isEmpty()) {
                LEASES.remove();
            }
        }
    }

    /** What is done under a lease. */
    @FunctionalInterface
    public interface Work<T, E extends Throwable> {

        /**
         * Does it.
         *
         * @throws E whatever it throws
         */
        @Nullable
        T run() throws E;
    }
}
