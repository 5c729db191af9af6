package dev.leasehold.doctor;

import java.util.Locale;

/** Numbers for people. */
final class Counted {

    private static final long KIB = 1024;

    private Counted() {}

    /** Such as {@code 1 lease} or {@code 10,000 leases}. */
    static String text(long number, String singular) {
        return text(number) + " " + singular + (number == 1 ? "" : "s");
    }

    static String text(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** Such as {@code 640 kB} or {@code 12 MB}, in units of 1024. */
    static String bytes(long bytes) {
        long mib = bytes / KIB / KIB;
        return mib >= KIB ? text(mib / KIB) + " GB" : mib > 0 ? text(mib) + " MB" : text(bytes / KIB) + " kB";
    }
}
