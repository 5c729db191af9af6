package dev.leasehold.doctor;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** When something was, by the database's clock and in UTC: to be looked for in a log. */
final class TimeOfDay {

    private static final DateTimeFormatter TODAY = DateTimeFormatter.ofPattern("HH:mm:ss 'UTC'");
    private static final DateTimeFormatter EARLIER = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss 'UTC'");

    private TimeOfDay() {}

    /** With its date if that is not today's. */
    static String text(Instant then, Instant now) {
        var utc = then.atOffset(ZoneOffset.UTC);
        boolean isToday = utc.toLocalDate().equals(now.atOffset(ZoneOffset.UTC).toLocalDate());
        return (isToday ? TODAY : EARLIER).format(utc);
    }
}
