package dev.leasehold.watch.domains;

import dev.leasehold.watch.values.InvalidValueException;
import java.net.IDN;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a domain in the form it is stored and asked for: lower case, A-labels (RFC 5890), no dot at the end.
 *
 * @param text such as {@code xn--bcher-kva.example}
 */
public record DomainName(String text) {

    private static final int LONGEST = 253;
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
    private static final Pattern DIGITS = Pattern.compile("[0-9]+");

    public DomainName {
        String[] labels = text.split("\\.", -1);
        if (labels.length < 2) {
            throw invalid(text, "must have at least two labels, such as example.org");
        }
        for (String label : labels) {
            if (!LABEL.matcher(label).matches()) {
                throw invalid(
                        text,
                        "must consist of labels of 1 to 63 letters, digits and inner hyphens; '" + label + "' is none");
            }
        }
        if (DIGITS.matcher(labels[labels.length - 1]).matches()) {
            throw invalid(text, "must be a name, not an address");
        }
        if (text.length() > LONGEST) {
            throw invalid(text, "must have at most " + LONGEST + " characters");
        }
    }

    /** Accepts what people write: upper case, letters beyond ASCII, one dot at the end. */
    public static DomainName parse(@Nullable String text) {
        String given = text == null ? "" : text.strip();
        String withoutDot = given.endsWith(".") ? given.substring(0, given.length() - 1) : given;
        try {
            return new DomainName(IDN.toASCII(withoutDot).toLowerCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw invalid(given, "must be a domain name (" + e.getMessage() + ")");
        }
    }

    private static InvalidValueException invalid(String text, String rule) {
        return new InvalidValueException("name", text, rule);
    }

    @Override
    public String toString() {
        return text;
    }
}
