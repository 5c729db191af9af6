package dev.leasehold.spring.exclusive;

import dev.leasehold.Lease;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** A call whose thread is interrupted when the trust in its lease ends. */
final class Interruptible {

    private Interruptible() {}

    /** Carries what is no exception past a signature that knows exceptions only. */
    private static final class Wrapped extends Exception {

        private static final long serialVersionUID = 1L;

        Wrapped(Throwable cause) {
            super(cause);
        }
    }

    static @Nullable Object run(Lease lease, MethodInvocation invocation) throws Throwable {
        var result = new Object() {
            @Nullable
            Object value;
        };
        try {
            lease.runOrInterrupt(held -> {
                try {
                    result.value = invocation.proceed();
                } catch (Exception | Error e) {
                    throw e;
                } catch (Throwable e) {
                    throw new Wrapped(e);
                }
            });
        } catch (Wrapped e) {
            throw e.getCause() == null ? e : e.getCause();
        }
        return result.value;
    }
}
