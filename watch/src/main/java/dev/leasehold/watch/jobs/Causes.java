package dev.leasehold.watch.jobs;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Looks into failures. */
public final class Causes {

    private static final int MOST_CAUSES = 100;

    private Causes() {}

    /** What made a future fail, without what futures wrap around it. */
    public static Throwable ofFuture(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof ExecutionException || cause instanceof CompletionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** The failure, its cause, the cause of that and so on; bounded, should they lead round in a circle. */
    public static Stream<Throwable> chain(Throwable failure) {
        return Stream.<@Nullable Throwable>iterate(failure, cause -> cause == null ? null : cause.getCause())
                .limit(MOST_CAUSES)
                .flatMap(Stream::ofNullable);
    }
}
