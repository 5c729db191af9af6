package dev.leasehold.spring.database;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the chain of causes of a failure; decides by SQLState, never by message. */
public final class DatabaseFailure {

    private static final int DEEPEST = 50;

    private DatabaseFailure() {}

    /** Whether no connection was to be had, or it broke. */
    public static boolean isAway(Throwable failure) {
        return sqlCauses(failure).stream().anyMatch(DatabaseFailure::isAboutConnection);
    }

    /** Whether the pool let the borrower wait until the time was up. */
    public static boolean isPoolTimeout(Throwable failure) {
        return sqlCauses(failure).stream().anyMatch(SQLTransientConnectionException.class::isInstance);
    }

    /** Whether the server said that it accepts no writes. */
    public static boolean isReadOnly(Throwable failure) {
        return sqlCauses(failure).stream().anyMatch(cause -> "25006".equals(cause.getSQLState()));
    }

    /** The first line of what the innermost error of the database or its driver says, which knows most. */
    public static String reason(Throwable failure) {
        List<SQLException> causes = sqlCauses(failure);
        Throwable innermost = causes.isEmpty() ? failure : causes.get(causes.size() - 1);
        return Optional.ofNullable(innermost.getMessage())
                .flatMap(message -> message.lines().findFirst())
                .orElse(innermost.getClass().getSimpleName());
    }

    private static boolean isAboutConnection(SQLException failure) {
        String state = failure.getSQLState() == null ? "" : failure.getSQLState();
        boolean connection = state.startsWith("08");
        boolean noLogin = state.startsWith("28") || state.equals("3D000");
        boolean notNow = state.startsWith("57P") || state.equals("53300");
        return failure instanceof SQLTransientConnectionException || connection || noLogin || notNow;
    }

    private static List<SQLException> sqlCauses(Throwable failure) {
        List<SQLException> found = new ArrayList<>();
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
            if (cause instanceof SQLException sql) {
                found.add(sql);
            }
            cause = cause.getCause();
        }
        return List.copyOf(found);
    }
}
