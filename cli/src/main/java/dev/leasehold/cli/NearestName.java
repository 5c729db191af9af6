package dev.leasehold.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** The name that somebody may have meant who has written another. */
final class NearestName {

    private NearestName() {}

    /** Of those that are alike; empty if none is. */
    static Optional<String> of(String written, Collection<String> names) {
        String wanted = written.toLowerCase(Locale.ROOT);
        return names.stream()
                .filter(name -> isAlike(wanted, name.toLowerCase(Locale.ROOT)))
                .min(Comparator.comparingInt(name -> distance(wanted, name.toLowerCase(Locale.ROOT))));
    }

    /** As a question to be added to an error; empty if none is alike. */
    static String asked(String written, Collection<String> names) {
        return of(written, names).map(name -> "; did you mean " + name + "?").orElse("");
    }

    private static boolean isAlike(String wanted, String name) {
        return name.contains(wanted)
                || wanted.contains(name)
                || distance(wanted, name) <= Math.max(1, Math.min(wanted.length(), name.length()) / 3);
    }

    /** How many signs must be inserted, left out or replaced to make one of the other. */
    private static int distance(String one, String other) {
        int[] before = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            before[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int[] now = new int[other.length() + 1];
            now[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int replaced = before[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                now[j] = Math.min(replaced, 1 + Math.min(before[j], now[j - 1]));
            }
            before = now;
        }
        return before[other.length()];
    }
}
