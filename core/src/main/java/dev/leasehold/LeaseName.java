package dev.leasehold;

import org.jspecify.annotations.Nullable;

/** The rule for names of leases: 1 to 512 characters (code points), such that PostgreSQL keeps them exactly. */
public final class LeaseName {

    private static final int MAX_CHARACTERS = 512;
    private static final int MOST_SHOWN = 60;

    private LeaseName() {}

    /**
     * The name itself, if PostgreSQL can keep it exactly.
     *
     * @throws IllegalArgumentException for a name that is null or empty, longer than 512 characters (code points), or contains
     *     U+0000 or a surrogate without its partner
     */
    public static String check(@Nullable String name) {
        if (name == null) {
            throw new IllegalArgumentException(
                    "the name of a lease is null, but must have 1 to " + MAX_CHARACTERS + " characters");
        }
        int characters = name.codePointCount(0, name.length());
        if (characters == 0 || characters > MAX_CHARACTERS) {
            throw new IllegalArgumentException("the name of a lease has " + characters
                    + " characters, but must have 1 to " + MAX_CHARACTERS + ": " + shown(name));
        }
        if (name.codePoints().anyMatch(c -> c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE))) {
            throw new IllegalArgumentException(
                    "the name of a lease must contain neither U+0000 nor a lone surrogate: " + shown(name));
        }
        return name;
    }

    /** In quotes, and of a long one the beginning. */
    static String shown(String name) {
        boolean isShort = name.codePointCount(0, name.length()) <= MOST_SHOWN;
        return isShort
                ? "\"" + name + "\""
                : "\"" + name.substring(0, name.offsetByCodePoints(0, MOST_SHOWN)) + "...\"";
    }
}
