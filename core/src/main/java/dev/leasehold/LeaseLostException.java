package dev.leasehold;

/** The lease is not, or no longer known to be, held by the caller: work that relies on it must not go on. */
public class LeaseLostException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LeaseLostException(String message) {
        super(message);
    }
}
