package dev.leasehold.watch.mail;

import java.util.Locale;

/** What a finding says of a record. */
enum Status {
    /** There, valid, and it keeps others from using the domain. */
    OK,
    /** There and valid, but it keeps nobody from anything. */
    WEAK,
    /** The DNS says that there is none. */
    MISSING,
    /** There, but receivers cannot use it. */
    INVALID,
    /** The look-up failed: nothing is known. */
    UNKNOWN;

    /** The word in the table. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
