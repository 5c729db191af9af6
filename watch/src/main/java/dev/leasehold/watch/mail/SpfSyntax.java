package dev.leasehold.watch.mail;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Address;

/**
 * Takes an SPF record apart by the grammar of RFC 7208, section 12. Pure.
 *
 * <p>A term that the grammar does not allow, wherever it stands, makes the whole record a permanent error (4.6).
 */
final class SpfSyntax {

    /**
     * A mechanism ({@code qualifier} is one of {@code + - ? ~}) or a modifier ({@code qualifier} is {@code =}).
     *
     * @param name in lower case: names are compared without regard to case
     * @param value what follows the colon or the equals sign, without a prefix length; empty if nothing does
     */
    record Term(char qualifier, String name, String value) {

        boolean isModifier() {
            return qualifier == '=';
        }
    }

    /** Names the term that breaks the grammar. */
    static final class BrokenException extends Exception {
        private static final long serialVersionUID = 1;

        BrokenException(String message) {
            super(message);
        }
    }

    private static final Pattern MODIFIER = Pattern.compile("([A-Za-z][A-Za-z0-9_.-]*)=(.*)");
    private static final Pattern MECHANISM = Pattern.compile("([+?~-]?)([A-Za-z][A-Za-z0-9_.-]*)([:/].*)?");
    private static final Pattern DOMAIN_AND_PREFIXES =
            Pattern.compile("(?::(?<domain>.+?))?(?:/(?<four>0|[1-9][0-9]?))?(?://(?<six>0|[1-9][0-9]{0,2}))?");
    private static final Pattern IP4 = Pattern.compile(":([0-9.]+)(?:/(0|[1-9][0-9]?))?");
    private static final Pattern IP6 = Pattern.compile(":([0-9A-Fa-f:.]+)(?:/(0|[1-9][0-9]{0,2}))?");
    private static final Pattern DOTTED_QUAD = Pattern.compile("(0|[1-9][0-9]{0,2})(\\.(0|[1-9][0-9]{0,2})){3}");

    private static final String TRANSFORMED = "[0-9]*[Rr]?[-.+,/_=]*\\}|%|_|-)";
    private static final Pattern ANY_MACRO = Pattern.compile("%(?:\\{[slodiphcrtvSLODIPHCRTV]" + TRANSFORMED);
    // c, r and t are for the text of an explanation only (7.2)
    private static final Pattern DOMAIN_MACRO = Pattern.compile("%(?:\\{[slodiphvSLODIPHV]" + TRANSFORMED);
    private static final Pattern TOP_LABEL =
            Pattern.compile("[A-Za-z0-9]*[A-Za-z][A-Za-z0-9]*|[A-Za-z0-9]+-[A-Za-z0-9-]*[A-Za-z0-9]");
    private static final int MOST_IN_A_LABEL = 63;
    private static final char A_MACRO = '\n';

    private SpfSyntax() {}

    /** Whether a text is an SPF record at all: the version, then a space or the end (4.5). */
    static boolean isSpf(String text) {
        return text.regionMatches(true, 0, "v=spf1", 0, 6) && (text.length() == 6 || text.charAt(6) == ' ');
    }

    /** The terms after the version, in order. */
    static List<Term> terms(String record) throws BrokenException {
        List<Term> terms = new ArrayList<>();
        Set<String> modifiers = new HashSet<>();
        for (String text : record.substring(6).split(" ", -1)) {
            if (text.isEmpty()) {
                continue;
            }
            Term term = term(text);
            if (term == null) {
                throw new BrokenException("the term " + Shown.of(text) + " is not valid");
            }
            boolean onceOnly = term.isModifier() && Set.of("redirect", "exp").contains(term.name());
            if (onceOnly && !modifiers.add(term.name())) {
                throw new BrokenException("the modifier " + term.name() + " stands there twice");
            }
            terms.add(term);
        }
        return terms;
    }

    private static @Nullable Term term(String text) {
        Matcher modifier = MODIFIER.matcher(text);
        if (modifier.matches()) {
            return modifier(modifier.group(1).toLowerCase(Locale.ROOT), modifier.group(2));
        }
        Matcher mechanism = MECHANISM.matcher(text);
        if (!mechanism.matches()) {
            return null;
        }
        char qualifier = mechanism.group(1).isEmpty() ? '+' : mechanism.group(1).charAt(0);
        String rest = mechanism.group(3) == null ? "" : mechanism.group(3);
        return mechanism(qualifier, mechanism.group(2).toLowerCase(Locale.ROOT), rest);
    }

    private static @Nullable Term modifier(String name, String value) {
        boolean valid = Set.of("redirect", "exp").contains(name)
                ? isDomainSpec(value)
                : marked(value, ANY_MACRO).isPresent();
        return valid ? new Term('=', name, value) : null;
    }

    private static @Nullable Term mechanism(char qualifier, String name, String rest) {
        return switch (name) {
            case "all" -> rest.isEmpty() ? new Term(qualifier, name, "") : null;
            case "include", "exists" -> domain(qualifier, name, rest, true);
            case "ptr" -> domain(qualifier, name, rest, false);
            case "a", "mx" -> domainAndPrefixes(qualifier, name, rest);
            case "ip4" -> ip4(qualifier, rest);
            case "ip6" -> ip6(qualifier, rest);
            default -> null;
        };
    }

    private static @Nullable Term domain(char qualifier, String name, String rest, boolean required) {
        if (rest.isEmpty()) {
            return required ? null : new Term(qualifier, name, "");
        }
        String domain = rest.substring(1);
        return rest.charAt(0) == ':' && isDomainSpec(domain) ? new Term(qualifier, name, domain) : null;
    }

    private static @Nullable Term domainAndPrefixes(char qualifier, String name, String rest) {
        Matcher parts = DOMAIN_AND_PREFIXES.matcher(rest);
        if (!parts.matches() || exceeds(parts.group("four"), 32) || exceeds(parts.group("six"), 128)) {
            return null;
        }
        String domain = parts.group("domain");
        if (domain == null) {
            return new Term(qualifier, name, "");
        }
        return isDomainSpec(domain) ? new Term(qualifier, name, domain) : null;
    }

    private static @Nullable Term ip4(char qualifier, String rest) {
        Matcher parts = IP4.matcher(rest);
        boolean valid = parts.matches()
                && DOTTED_QUAD.matcher(parts.group(1)).matches()
                && Address.toByteArray(parts.group(1), Address.IPv4) != null
                && !exceeds(parts.group(2), 32);
        return valid ? new Term(qualifier, "ip4", rest.substring(1)) : null;
    }

    private static @Nullable Term ip6(char qualifier, String rest) {
        Matcher parts = IP6.matcher(rest);
        boolean valid = parts.matches()
                && Address.toByteArray(parts.group(1), Address.IPv6) != null
                && !exceeds(parts.group(2), 128);
        return valid ? new Term(qualifier, "ip6", rest.substring(1)) : null;
    }

    /** Ends in a macro, or in a dot and a label of the DNS that is not all digits, with or without a last dot. */
    private static boolean isDomainSpec(String text) {
        return marked(text, DOMAIN_MACRO).map(SpfSyntax::endsAsADomain).orElse(false);
    }

    private static boolean endsAsADomain(String marked) {
        if (!marked.isEmpty() && marked.charAt(marked.length() - 1) == A_MACRO) {
            return true;
        }
        String name = marked.endsWith(".") ? marked.substring(0, marked.length() - 1) : marked;
        int dot = name.lastIndexOf('.');
        String label = name.substring(dot + 1);
        // The length first: the pattern takes the square of it.
        return dot >= 0
                && label.length() <= MOST_IN_A_LABEL
                && TOP_LABEL.matcher(label).matches();
    }

    /** The text with a mark for each macro; empty if what remains is not printable, or a percent sign of no macro. */
    private static Optional<String> marked(String text, Pattern macro) {
        boolean printable = text.chars().allMatch(c -> c >= '!' && c <= '~');
        String marked = macro.matcher(text).replaceAll(String.valueOf(A_MACRO));
        return printable && marked.indexOf('%') < 0 ? Optional.of(marked) : Optional.empty();
    }

    private static boolean exceeds(@Nullable String number, int most) {
        return number != null && Integer.parseInt(number) > most;
    }
}
