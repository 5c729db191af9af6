package dev.leasehold.benchmarks;

/** A scenario or subject was asked for that there is not. */
final class NothingToMeasureException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    NothingToMeasureException(String message) {
        super(message);
    }
}
