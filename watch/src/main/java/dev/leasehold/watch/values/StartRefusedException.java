package dev.leasehold.watch.values;

import org.jspecify.annotations.Nullable;

/** The instance cannot start as it is configured. The message is the one line the operator gets. */
public final class StartRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public StartRefusedException(String message) {
        this(message, null);
    }

    public StartRefusedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
