package dev.leasehold.benchmarks;

/** What was asked for leaves no scenario or no subject. */
final class NothingToMeasureException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    NothingToMeasureException(String message) {
        super(message);
    }
}
