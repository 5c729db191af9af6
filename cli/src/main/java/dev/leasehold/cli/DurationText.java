package dev.leasehold.cli;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Durations as people write and read them: {@code 90s}, {@code 5m}, {@code 1h30m}, {@code 250ms}, {@code 2d}. ISO-8601 is read
 * too: {@code PT2M}.
 */
final class DurationText implements ITypeConverter<Duration> {

    private static final Pattern WRITTEN =
            Pattern.compile("(?:(\\d{1,6})d)?(?:(\\d{1,6})h)?(?:(\\d{1,6})m(?!s))?(?:(\\d{1,9})s)?(?:(\\d{1,9})ms)?");
    private static final long SECONDS_OF_A_MINUTE = 60;
    private static final long SECONDS_OF_AN_HOUR = 3_600;
    private static final long SECONDS_OF_A_DAY = 86_400;
    static final long DAYS_OF_A_LONG_TIME = 36_500;
    private static final long MOST_DAYS = 1_000_000;
    private static final int SHORT_SECONDS = 10;

    @Override
    public Duration convert(String text) {
        Duration duration = text.startsWith("P") ? ofIso(text) : ofPeople(text);
        if (duration.isNegative() || duration.toDays() > MOST_DAYS) {
            throw new TypeConversionException(
                    "\"" + PlainText.inALine(text) + "\" must be zero or more, and at most " + MOST_DAYS + "d");
        }
        return duration;
    }

    private static Duration ofIso(String text) {
        try {
            return Duration.parse(text);
        } catch (DateTimeParseException e) {
            throw new TypeConversionException(
                    "\"" + PlainText.inALine(text) + "\" is no duration of ISO-8601: write PT30S, PT1H30M or P2D");
        }
    }

    private static Duration ofPeople(String text) {
        Matcher written = WRITTEN.matcher(text);
        if (text.isEmpty() || !written.matches()) {
            throw new TypeConversionException(
                    "\"" + PlainText.inALine(text) + "\" is no duration: write 250ms, 30s, 5m, 1h30m or 2d");
        }
        return Duration.ofDays(number(written.group(1)))
                .plusHours(number(written.group(2)))
                .plusMinutes(number(written.group(3)))
                .plusSeconds(number(written.group(4)))
                .plusMillis(number(written.group(5)));
    }

    private static long number(@Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }

    /** In its two largest units; the sign is left out. */
    static String of(Duration duration) {
        Duration positive = duration.abs();
        long seconds = positive.toSeconds();
        if (seconds < SHORT_SECONDS && positive.toMillis() % 1_000 >= 100) {
            return seconds + "." + positive.toMillis() % 1_000 / 100 + "s";
        }
        if (seconds < SECONDS_OF_A_MINUTE) {
            return seconds + "s";
        }
        if (seconds < SECONDS_OF_AN_HOUR) {
            return two(seconds / SECONDS_OF_A_MINUTE, "m", seconds % SECONDS_OF_A_MINUTE, "s");
        }
        if (seconds < SECONDS_OF_A_DAY) {
            return two(seconds / SECONDS_OF_AN_HOUR, "h", seconds % SECONDS_OF_AN_HOUR / SECONDS_OF_A_MINUTE, "m");
        }
        long days = seconds / SECONDS_OF_A_DAY;
        return days > DAYS_OF_A_LONG_TIME
                ? "for ever"
                : two(days, "d", seconds % SECONDS_OF_A_DAY / SECONDS_OF_AN_HOUR, "h");
    }

    private static String two(long large, String unit, long small, String smallUnit) {
        return small == 0 ? large + unit : large + unit + small + smallUnit;
    }
}
