package dev.leasehold.watch.monitors;

import dev.leasehold.watch.values.HttpUrl;
import dev.leasehold.watch.values.InvalidValueException;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/**
 * What somebody wants to have watched, checked.
 *
 * @param timeout the total deadline of one check
 * @param webhook where a change of state is delivered besides the log; nowhere if null
 */
public record MonitorSpec(
        String name, URI url, Duration timeout, @Nullable URI webhook) {

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final int LONGEST_NAME = 200;

    /** Checks texts from outside; {@code timeout} is {@code 5s}, {@code 500ms}, {@code PT5S} or a number of milliseconds. */
    public static MonitorSpec parse(
            @Nullable String name, @Nullable String url, @Nullable String timeout, @Nullable String webhook) {
        return new MonitorSpec(
                parseName(name),
                HttpUrl.parse("url", url == null ? "" : url),
                timeout == null ? DEFAULT_TIMEOUT : parseTimeout(timeout),
                webhook == null ? null : HttpUrl.parseSecret("webhook", webhook));
    }

    private static String parseName(@Nullable String text) {
        String name = text == null ? "" : text.strip();
        boolean readable = name.codePoints().noneMatch(c -> Character.isISOControl(c) || isLoneSurrogate(c));
        if (name.isEmpty() || name.length() > LONGEST_NAME || !readable) {
            throw new InvalidValueException(
                    "name", name, "must have 1 to " + LONGEST_NAME + " characters, none of them a control character");
        }
        return name;
    }

    private static boolean isLoneSurrogate(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }

    private static Duration parseTimeout(String text) {
        Duration timeout;
        try {
            timeout = DurationStyle.detectAndParse(text);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new InvalidValueException("timeout", text, "must be a duration such as 5s, 500ms or PT5S");
        }
        if (timeout.compareTo(SHORTEST) < 0 || timeout.compareTo(LONGEST) > 0) {
            throw new InvalidValueException("timeout", text, "must be from 100ms to 60s");
        }
        return timeout;
    }
}
