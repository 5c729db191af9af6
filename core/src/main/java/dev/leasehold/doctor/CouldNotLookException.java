package dev.leasehold.doctor;

import java.sql.SQLException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The database could not be asked: it is away, full, or refuses the role; or the pool has no connection to lend. The message is
 * one line that says what to do, without a password. The cause is missing where its own text has one.
 */
public final class CouldNotLookException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private static final int MOST_CHARACTERS = 300;

    /** In the parameters of a URL, and before its host. */
    private static final Pattern PASSWORD = Pattern.compile("(?i)(password=)[^&\\s]*|(://[^/\\s:@]*:)\\S*(?=@)");

    private CouldNotLookException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    static CouldNotLookException because(SQLException e) {
        Failure failure = Failure.of(e);
        boolean hasPassword =
                failure.all().anyMatch(error -> PASSWORD.matcher(text(error)).find());
        Failure.Reason reason = failure.reason();
        return new CouldNotLookException(reason.advice() + " (" + said(reason.error()) + ")", hasPassword ? null : e);
    }

    private static String said(Throwable e) {
        String line = PASSWORD.matcher(text(e)).replaceAll("$1$2***");
        return OneLine.text(line, MOST_CHARACTERS);
    }

    private static String text(Throwable e) {
        return String.valueOf(e.getMessage());
    }
}
