package dev.leasehold.doctor;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The database could not be asked: it is away, full, or refuses the role. The message is one line that says what to do, without a
 * password. The cause is missing where its own text has one.
 */
public final class CouldNotLookException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private static final String NOTHING_TO_LEND =
            "the pool has no connection to lend: give the doctor a DataSource of its own";

    private static final int MOST_CAUSES = 20;
    private static final int MOST_CHARACTERS = 300;

    /** In the parameters of a URL, and before its host. */
    private static final Pattern PASSWORD = Pattern.compile("(?i)(password=)[^&\\s]*|(://[^/\\s:@]*:)\\S*(?=@)");

    private CouldNotLookException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    static CouldNotLookException because(SQLException e) {
        for (Throwable cause : causes(e)) {
            Optional<String> advice =
                    cause instanceof SQLException sql ? Refusal.advice(sql.getSQLState()) : Optional.empty();
            if (advice.isPresent()) {
                return of(advice.get(), cause, e);
            }
        }
        return of(e instanceof SQLTransientConnectionException ? NOTHING_TO_LEND : "could not look", e, e);
    }

    private static CouldNotLookException of(String advice, Throwable reason, SQLException e) {
        boolean hasPassword = causes(e).stream()
                .anyMatch(cause -> PASSWORD.matcher(text(cause)).find());
        return new CouldNotLookException(advice + " (" + said(reason) + ")", hasPassword ? null : e);
    }

    private static String said(Throwable e) {
        String line = PASSWORD.matcher(text(e)).replaceAll("$1$2***");
        return Words.line(line, MOST_CHARACTERS);
    }

    private static String text(Throwable e) {
        return String.valueOf(e.getMessage());
    }

    private static List<Throwable> causes(Throwable e) {
        return Stream.<Throwable>iterate(e, cause -> cause != null, Throwable::getCause)
                .limit(MOST_CAUSES)
                .toList();
    }
}
