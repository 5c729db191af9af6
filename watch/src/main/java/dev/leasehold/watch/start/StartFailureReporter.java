package dev.leasehold.watch.start;

import dev.leasehold.spring.database.DatabaseFailure;
import dev.leasehold.watch.values.StartRefusedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringBootExceptionReporter;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Says in one line why an instance does not start, where the operator can do something about it. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class StartFailureReporter implements SpringBootExceptionReporter {

    private static final Logger log = LoggerFactory.getLogger(StartFailureReporter.class);
    private static final int DEEPEST = 50;

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
        StartRefusedException refused = cause(failure, StartRefusedException.class);
        if (refused != null) {
            return refused.getMessage();
        }
        BindException unbound = cause(failure, BindException.class);
        if (unbound != null) {
            return lineFor(unbound);
        }
        return DatabaseFailure.isAway(failure)
                ? "no connection to the database of " + DatabaseUrl.PROPERTY + " (" + shownUrl() + "): "
                        + DatabaseFailure.reason(failure)
                : null;
    }

    private static String lineFor(BindException unbound) {
        ConfigurationProperty property = unbound.getProperty();
        Throwable rule = unbound;
        for (int depth = 0; rule.getCause() != null && depth < DEEPEST; depth++) {
            rule = rule.getCause();
        }
        return property == null
                ? String.valueOf(rule.getMessage())
                : property.getName() + " is '" + property.getValue() + "': " + rule.getMessage();
    }

    private static <T extends Throwable> @Nullable T cause(Throwable failure, Class<T> type) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
            if (type.isInstance(cause)) {
                return type.cast(cause);
            }
            cause = cause.getCause();
        }
        return null;
    }

    private String shownUrl() {
        String url = context == null ? null : context.getEnvironment().getProperty(DatabaseUrl.PROPERTY);
        return url == null ? "unknown" : DatabaseUrl.shown(url);
    }
}
