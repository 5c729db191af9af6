package dev.leasehold.cli;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What may be a password among the arguments of a command line. No error repeats it: an option may be misspelt, or a URL stand
 * where it does not belong.
 *
 * @param arguments all of the process
 */
record Secrets(List<String> arguments) {

    private static final String HIDDEN = "...";

    /** What comes after one of them in an argument may be, or hold, a password; the first that is found counts. */
    private static final List<Pattern> MARKS =
            List.of(Pattern.compile("://"), Pattern.compile("(?i)password\\s*="), Pattern.compile(":(?=[^@]*@)"));

    Secrets {
        arguments = List.copyOf(arguments);
    }

    /** A text that may repeat an argument, or the end of one, without what may be a password. */
    String hiddenIn(String text) {
        String hidden = text;
        boolean isAfterUrl = false;
        for (String argument : arguments) {
            Optional<Matcher> mark = mark(argument);
            if (mark.isPresent()) {
                String secret = argument.substring(mark.get().start());
                hidden = hidden.replace(secret, mark.get().group() + HIDDEN);
                isAfterUrl = true;
            } else if (isAfterUrl && argument.contains("@")) {
                hidden = hidden.replace(argument, HIDDEN); // the end of a URL that has a space in its password
            }
        }
        return hidden;
    }

    private static Optional<Matcher> mark(String argument) {
        return MARKS.stream()
                .map(mark -> mark.matcher(argument))
                .filter(Matcher::find)
                .findFirst();
    }
}
