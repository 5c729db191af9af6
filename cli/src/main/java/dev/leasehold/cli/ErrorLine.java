package dev.leasehold.cli;

import dev.leasehold.LeaseException;
import dev.leasehold.doctor.CouldNotLookException;
import java.sql.SQLException;

/** What is said of an error, on one line. */
final class ErrorLine {

    private ErrorLine() {}

    static String of(Throwable e) {
        String message = String.valueOf(e.getMessage());
        return PlainText.inALine(NoConnection.in(e)
                .map(SQLException::getMessage)
                .orElse(isMeantForPeople(e) ? message : e.getClass().getSimpleName() + ": " + message));
    }

    private static boolean isMeantForPeople(Throwable e) {
        return e instanceof CommandFailure
                || e instanceof LeaseException
                || e instanceof CouldNotLookException
                || e instanceof SQLException
                || e instanceof IllegalArgumentException;
    }
}
