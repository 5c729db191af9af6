package dev.leasehold.doctor;

import java.util.List;

/**
 * What to do about a {@link Finding}. Immutable.
 *
 * @param now what to do at once; empty if nothing has to be done
 * @param forGood what keeps it from coming again; empty if that is no matter
 * @param sql what {@code now} speaks of, as statements that can be run as they are, one an element, each on one line and with its
 *     semicolon; in a session with autocommit, as some of them are refused in a transaction
 */
public record Remedy(String now, String forGood, List<String> sql) {

    public Remedy {
        sql = List.copyOf(sql);
    }

    /** Nothing has to be done. */
    public static Remedy none() {
        return new Remedy("", "", List.of());
    }

    static Remedy now(String now, String... sql) {
        return new Remedy(now, "", List.of(sql));
    }

    static Remedy now(String now, List<String> sql) {
        return new Remedy(now, "", sql);
    }

    Remedy forGood(String more) {
        return new Remedy(now, more, sql);
    }

    Remedy then(String sentence) {
        return new Remedy(now + " " + sentence, forGood, sql);
    }
}
