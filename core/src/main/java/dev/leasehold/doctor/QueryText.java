package dev.leasehold.doctor;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What others run, fit to be shown: a line of it, and no password. */
final class QueryText {

    /** The word itself, as in {@code alter role ... password '...'} and {@code password=...}; or a URL that has a user and more. */
    private static final Pattern BEFORE_A_PASSWORD =
            Pattern.compile("(?i)passw(?:or)?d\\w*|://[^\\s/:@']*:(?=[^\\s@']*@)");

    private QueryText() {}

    /** Whatever comes after the first sign of a password is left out: how it is quoted, and where it ends, has too many forms. */
    static String shown(String query) {
        Matcher password = BEFORE_A_PASSWORD.matcher(query);
        if (!password.find() || password.end() == query.length()) {
            return OneLine.text(query);
        }
        boolean isWord = Character.isLetterOrDigit(query.charAt(password.end() - 1));
        return OneLine.text(query.substring(0, password.end()) + (isWord ? " ***" : "***"));
    }
}
