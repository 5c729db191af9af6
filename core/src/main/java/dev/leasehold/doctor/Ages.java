package dev.leasehold.doctor;

import java.time.Duration;

/** How long something is, for people: the two largest units. */
final class Ages {

    private static final int TENTHS_UP_TO_SECONDS = 10;
    private static final int MILLIS_OF_A_TENTH = 100;

    private Ages() {}

    /** Such as {@code 850 ms}, {@code 1.5 s}, {@code 3 min 12 s}, {@code 2 h 11 min} or {@code 5 d 3 h}; never negative. */
    static String text(Duration duration) {
        Duration age = duration.abs();
        if (age.toDays() > 0) {
            return two(age.toDays(), "d", age.toHoursPart(), "h");
        }
        if (age.toHours() > 0) {
            return two(age.toHours(), "h", age.toMinutesPart(), "min");
        }
        if (age.toMinutes() > 0) {
            return two(age.toMinutes(), "min", age.toSecondsPart(), "s");
        }
        if (age.toSeconds() == 0) {
            return age.toMillis() + " ms";
        }
        int tenths = age.toMillisPart() / MILLIS_OF_A_TENTH;
        boolean isWhole = tenths == 0 || age.toSeconds() >= TENTHS_UP_TO_SECONDS;
        return age.toSeconds() + (isWhole ? "" : "." + tenths) + " s";
    }

    private static String two(long large, String unit, int small, String smallUnit) {
        return large + " " + unit + (small == 0 ? "" : " " + small + " " + smallUnit);
    }
}
