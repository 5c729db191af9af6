package dev.leasehold.watch.start;

import dev.leasehold.watch.database.DatabaseFailure;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringBootExceptionReporter;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Says in one line why an instance does not start, where the operator can do something about it. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class StartFailureReporter implements SpringBootExceptionReporter {

    private static final Logger log = LoggerFactory.getLogger(StartFailureReporter.class);

    private final @Nullable ConfigurableApplicationContext context;

    StartFailureReporter(@Nullable ConfigurableApplicationContext context) {
        this.context = context;
    }

    @Override
    public boolean reportException(Throwable failure) {
        String line = lineFor(failure);
        if (line == null) {
            return false;
        }
        log.error("not started: {}", line);
        return true;
    }

    private @Nullable String lineFor(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < 50; depth++) {
            if (cause instanceof StartRefusedException) {
                return cause.getMessage();
            }
            cause = cause.getCause();
        }
        return DatabaseFailure.isAway(failure)
                ? "no connection to the database of " + DatabaseUrl.PROPERTY + " (" + shownUrl() + "): "
                        + DatabaseFailure.reason(failure)
                : null;
    }

    private String shownUrl() {
        String url = context == null ? null : context.getEnvironment().getProperty(DatabaseUrl.PROPERTY);
        return url == null ? "unknown" : DatabaseUrl.shown(url);
    }
}
