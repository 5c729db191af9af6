package dev.leasehold;

/**
 * The outcome of an operation on leases is unknown or an error: the database was out of reach, answered with an error, or
 * did not answer in time. A lease whose acquisition ends this way is not held.
 */
public class LeaseException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LeaseException(String message, Throwable cause) {
        super(message, cause);
    }

    LeaseException(String message) {
        super(message);
    }
}
