package dev.leasehold.spring;

import dev.leasehold.Schedule;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.support.CronExpression;

/**
 * Schedules by a cron expression, as Spring reads it, on the clocks of a zone: {@code
 * Round.named("report").schedule(Cron.of("0 30 2 * * *", ZoneId.of("Europe/Berlin")))}.
 *
 * <p>Where a zone's clocks are put forward or back, it depends on the hours:
 *
 * <ul>
 *   <li>If the hours begin with {@code *}, the expression means intervals. Times that the clocks leave out have no slot, and
 *       those that they show twice have two.
 *   <li>Else it means times of day, and each has one slot. A time that the clocks leave out has its slot when they go on,
 *       together with all others left out; one that they show twice has it the first time.
 * </ul>
 *
 * @see <a href="https://docs.spring.io/spring-framework/reference/integration/scheduling.html">Spring, cron expressions</a>
 */
public final class Cron {

    private Cron() {}

    /**
     * A schedule of that expression.
     *
     * @param expression six fields: second, minute, hour, day of month, month, day of week; or a macro as {@code @daily}
     * @throws IllegalArgumentException if that is no cron expression; names it
     */
    public static Schedule of(String expression, ZoneId zone) {
        Objects.requireNonNull(zone, "zone");
        CronExpression parsed;
        try {
            parsed = CronExpression.parse(expression);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("\"" + expression + "\" is no cron expression: " + reason(e), e);
        }
        ZoneRules rules = zone.getRules();
        String description = expression + " in " + zone;
        return isOfIntervals(parsed)
                ? Schedule.of(description, after -> nextInterval(parsed, rules, after))
                : Schedule.of(description, after -> nextTimeOfDay(parsed, rules, after));
    }

    /** Without the expression, which Spring repeats. */
    private static String reason(IllegalArgumentException e) {
        String message = String.valueOf(e.getMessage());
        int repeated = message.indexOf(" in cron expression \"");
        return repeated < 0 ? message : message.substring(0, repeated);
    }

    /** Macros are resolved by then. */
    private static boolean isOfIntervals(CronExpression parsed) {
        return parsed.toString().split(" ", -1)[2].startsWith("*");
    }

    /** From one change of the clocks to the next the local time goes evenly. */
    private static @Nullable Instant nextInterval(CronExpression cron, ZoneRules rules, Instant after) {
        Instant from = after;
        ZoneOffset offset = rules.getOffset(after);
        while (true) {
            LocalDateTime next = cron.next(LocalDateTime.ofInstant(from, offset));
            if (next == null) {
                return null;
            }
            Instant candidate = next.toInstant(offset);
            ZoneOffsetTransition change = rules.nextTransition(from);
            if (change == null || candidate.isBefore(change.getInstant())) {
                return candidate;
            }
            // The instant of the change may be a slot itself.
            from = change.getInstant().minusNanos(1);
            offset = change.getOffsetAfter();
            LocalDateTime first = cron.next(LocalDateTime.ofInstant(from, offset));
            if (first != null && first.toInstant(offset).equals(change.getInstant())) {
                return change.getInstant();
            }
            from = change.getInstant();
        }
    }

    /** A later local time never has an earlier slot, so the first one whose slot is later is the next. */
    private static @Nullable Instant nextTimeOfDay(CronExpression cron, ZoneRules rules, Instant after) {
        ZoneOffset offset = rules.getOffset(after);
        LocalDateTime from = LocalDateTime.ofInstant(after, offset);
        ZoneOffsetTransition change = rules.getTransition(from);
        if (change != null && change.isOverlap() && offset.equals(change.getOffsetAfter())) {
            // Shown the second time: all of these times have had their slots.
            from = change.getDateTimeBefore().minusNanos(1);
        }
        LocalDateTime next = cron.next(from);
        return next == null ? null : slot(rules, next);
    }

    private static Instant slot(ZoneRules rules, LocalDateTime time) {
        ZoneOffsetTransition change = rules.getTransition(time);
        if (change == null) {
            return time.toInstant(rules.getOffset(time));
        }
        return change.isGap() ? change.getInstant() : time.toInstant(change.getOffsetBefore());
    }
}
