package dev.leasehold.watch.mail;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A DMARC policy record by RFC 9989, sections 4.7 and 4.8: the version first, then tags in any order; unknown tags mean
 * nothing, and what breaks the syntax after the version is ignored.
 *
 * @param tags name to value, both as written, without the blanks around them
 * @param ignored the pieces that are no tags, or stand there twice
 */
record DmarcRecord(String text, Map<String, String> tags, List<String> ignored) {

    private static final Pattern VERSION =
            Pattern.compile("[vV][ \\t]*=[ \\t]*DMARC1[ \\t]*(?:;(?<rest>.*))?", Pattern.DOTALL);
    private static final Pattern TAG = Pattern.compile("([A-Za-z]+)[ \\t]*=[ \\t]*([ -:<-~]+)");
    private static final Pattern REPORT_URI =
            Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:[^\\s,!]+(?:![0-9]+[KkMmGgTt]?)?");
    private static final Set<String> POLICIES = Set.of("none", "quarantine", "reject");

    /** Empty if the text is not a DMARC record: it must begin with the version, exactly. */
    static Optional<DmarcRecord> parse(String text) {
        Matcher version = VERSION.matcher(text);
        if (!version.matches()) {
            return Optional.empty();
        }
        String rest = version.group("rest");
        Map<String, String> tags = new LinkedHashMap<>();
        List<String> ignored = new ArrayList<>();
        for (String piece : rest == null ? new String[0] : rest.split(";", -1)) {
            String trimmed = piece.strip();
            if (trimmed.isEmpty()) {
                continue;
            }
            Matcher tag = TAG.matcher(trimmed);
            if (!tag.matches() || tags.putIfAbsent(tag.group(1), tag.group(2).strip()) != null) {
                ignored.add(trimmed);
            }
        }
        return Optional.of(new DmarcRecord(text, tags, ignored));
    }

    /** The value of a policy tag in lower case; null if it is absent. It may be none of the known policies. */
    @Nullable
    String policy(String tag) {
        String value = tags.get(tag);
        return value == null ? null : value.toLowerCase(Locale.ROOT);
    }

    /** The first of p, sp and np that has a value that is no policy. */
    Optional<String> brokenPolicy() {
        return List.of("p", "sp", "np").stream()
                .filter(tag -> tags.containsKey(tag) && !POLICIES.contains(policy(tag)))
                .findFirst();
    }

    boolean is(String tag, String value) {
        return value.equalsIgnoreCase(tags.get(tag));
    }

    /** Whether the walk up the tree ends here: the record says what its domain is. */
    boolean endsWalk() {
        return is("psd", "y") || is("psd", "n");
    }

    /** Whether reports are asked for at an address that could be one. */
    boolean asksForReports() {
        for (String uri : tags.getOrDefault("rua", "").split(",", -1)) {
            if (REPORT_URI.matcher(uri.strip()).matches()) {
                return true;
            }
        }
        return false;
    }
}
