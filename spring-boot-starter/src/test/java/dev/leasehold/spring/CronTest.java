package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.leasehold.LossPolicy;
import dev.leasehold.Schedule;
import dev.leasehold.rounds.Promise;
import dev.leasehold.rounds.Round;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slots of cron expressions on clocks that are put forward and back. */
class CronTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final ZoneId CAIRO = ZoneId.of("Africa/Cairo");
    private static final ZoneId SANTIAGO = ZoneId.of("America/Santiago");

    private static List<Instant> slots(Schedule schedule, Instant after, Instant until) {
        var slots = new ArrayList<Instant>();
        Optional<Instant> next = schedule.next(after);
        while (next.isPresent() && !next.get().isAfter(until)) {
            slots.add(next.get());
            next = schedule.next(next.get());
        }
        return slots;
    }

    /** The slots of that local day, as local times with their offset. */
    private static List<String> day(String expression, ZoneId zone, String date) {
        LocalDate day = LocalDate.parse(date);
        Instant start = day.atStartOfDay(zone).toInstant().minusNanos(1);
        Instant end = day.plusDays(1).atStartOfDay(zone).toInstant().minusNanos(1);
        return slots(Cron.of(expression, zone), start, end).stream()
                .map(slot -> slot.atZone(zone).toLocalTime()
                        + slot.atZone(zone).getOffset().toString())
                .toList();
    }

    private static final String AT_HALF_PAST_TWO = "0 30 2 * * *";
    private static final String AT_HALF_PAST_MIDNIGHT = "0 30 0 * * *";
    private static final String EVERY_TWO_HOURS = "0 0 */2 * * *";
    private static final String EVERY_HALF_HOUR = "0 */30 * * * *";

    @Test
    void aTimeThatBerlinLeavesOutHasItsSlotWhenItsClocksGoOn() {
        assertThat(day(AT_HALF_PAST_TWO, BERLIN, "2026-03-28")).containsExactly("02:30+01:00");
        assertThat(day(AT_HALF_PAST_TWO, BERLIN, "2026-03-29")).containsExactly("03:00+02:00");
        assertThat(day(AT_HALF_PAST_TWO, BERLIN, "2026-03-30")).containsExactly("02:30+02:00");
        assertThat(day("0 0,15,30,45 2 * * *", BERLIN, "2026-03-29"))
                .as("all that are left out have one")
                .containsExactly("03:00+02:00");
        assertThat(day("0 0 2,3 * * *", BERLIN, "2026-03-29"))
                .as("together with who has it anyway")
                .containsExactly("03:00+02:00");
    }

    @Test
    void aTimeThatBerlinShowsTwiceHasItsSlotTheFirstTime() {
        assertThat(day(AT_HALF_PAST_TWO, BERLIN, "2026-10-25")).containsExactly("02:30+02:00");
        assertThat(day("0 30 2,3 * * *", BERLIN, "2026-10-25")).containsExactly("02:30+02:00", "03:30+01:00");
        assertThat(day("0 0 3 * * *", BERLIN, "2026-10-25")).containsExactly("03:00+01:00");
    }

    @Test
    void intervalsGoOnEvenlyInBerlin() {
        assertThat(day(EVERY_HALF_HOUR, BERLIN, "2026-03-29"))
                .hasSize(46)
                .startsWith("00:00+01:00", "00:30+01:00", "01:00+01:00", "01:30+01:00", "03:00+02:00", "03:30+02:00");
        assertThat(day(EVERY_HALF_HOUR, BERLIN, "2026-10-25"))
                .hasSize(50)
                .containsSequence("02:00+02:00", "02:30+02:00", "02:00+01:00", "02:30+01:00", "03:00+01:00");
        assertThat(day("0 5 * * * *", BERLIN, "2026-03-29"))
                .as("what is left out is not made up for")
                .hasSize(23)
                .contains("01:05+01:00", "03:05+02:00")
                .doesNotContain("03:00+02:00");
    }

    @Test
    void aDayThatBeginsAtOneInCairoKeepsItsOtherSlots() {
        assertThat(day(EVERY_TWO_HOURS, CAIRO, "2025-04-25"))
                .containsExactly(
                        "02:00+03:00",
                        "04:00+03:00",
                        "06:00+03:00",
                        "08:00+03:00",
                        "10:00+03:00",
                        "12:00+03:00",
                        "14:00+03:00",
                        "16:00+03:00",
                        "18:00+03:00",
                        "20:00+03:00",
                        "22:00+03:00");
        assertThat(day(AT_HALF_PAST_MIDNIGHT, CAIRO, "2025-04-25")).containsExactly("01:00+03:00");
        assertThat(day(AT_HALF_PAST_MIDNIGHT, CAIRO, "2025-04-26")).containsExactly("00:30+03:00");
    }

    @Test
    void aDayThatEndsTwiceInCairo() {
        assertThat(day("0 30 23 * * *", CAIRO, "2025-10-30")).containsExactly("23:30+03:00");
        assertThat(day(EVERY_HALF_HOUR, CAIRO, "2025-10-30"))
                .hasSize(50)
                .endsWith("23:00+03:00", "23:30+03:00", "23:00+02:00", "23:30+02:00");
    }

    @Test
    void aDayThatBeginsAtOneInSantiagoKeepsItsOtherSlots() {
        assertThat(day(EVERY_TWO_HOURS, SANTIAGO, "2025-09-07")).hasSize(11).startsWith("02:00-03:00", "04:00-03:00");
        assertThat(day(AT_HALF_PAST_MIDNIGHT, SANTIAGO, "2025-09-07")).containsExactly("01:00-03:00");
        assertThat(day("0 30 23 * * *", SANTIAGO, "2026-04-04")).containsExactly("23:30-03:00");
        assertThat(day(EVERY_HALF_HOUR, SANTIAGO, "2026-04-04")).hasSize(50);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Europe/Berlin", "Africa/Cairo", "America/Santiago", "Asia/Beirut", "America/New_York", "UTC"})
    void everyDayOfTwoYearsHasEachTimeOfDayOnceAndNoIntervalIsLongerThanItself(String name) {
        ZoneId zone = ZoneId.of(name);
        Instant start =
                LocalDateTime.parse("2025-01-01T00:00").atZone(zone).toInstant().minusNanos(1);
        Instant end =
                LocalDateTime.parse("2027-01-01T00:00").atZone(zone).toInstant().minusNanos(1);
        for (int hour = 0; hour < 24; hour++) {
            List<Instant> daily = slots(Cron.of("0 30 " + hour + " * * *", zone), start, end);
            assertThat(daily).hasSize(730);
            assertThat(daily.stream()
                            .map(slot -> slot.atZone(zone).toLocalDate())
                            .distinct())
                    .hasSize(730);
        }
        List<Instant> often = slots(Cron.of(EVERY_HALF_HOUR, zone), start, end);
        for (int i = 1; i < often.size(); i++) {
            assertThat(Duration.between(often.get(i - 1), often.get(i))).isEqualTo(Duration.ofMinutes(30));
        }
    }

    /** A schedule asked from any instant gives the same slots as one that is followed from slot to slot. */
    @Test
    void slotsDoNotDependOnWhoAsksWhen() {
        for (String expression : List.of(AT_HALF_PAST_TWO, EVERY_TWO_HOURS, "0 */20 2 * * *", "0 */20 * * * *")) {
            Schedule schedule = Cron.of(expression, BERLIN);
            for (String date : List.of("2026-03-29T00:00:00Z", "2026-10-24T23:00:00Z")) {
                Instant from = Instant.parse(date);
                List<Instant> followed = slots(schedule, from, from.plus(Duration.ofHours(6)));
                for (Instant asked = from;
                        asked.isBefore(from.plus(Duration.ofHours(4)));
                        asked = asked.plusSeconds(300)) {
                    Instant at = asked;
                    assertThat(schedule.next(asked))
                            .as("%s asked at %s", expression, asked)
                            .isEqualTo(followed.stream()
                                    .filter(slot -> slot.isAfter(at))
                                    .findFirst()
                                    .or(() -> schedule.next(at)
                                            .filter(slot -> slot.isAfter(from.plus(Duration.ofHours(6))))));
                }
            }
        }
    }

    @Test
    void macrosAndExpressionsThatEndAreUnderstood() {
        assertThat(day("@hourly", BERLIN, "2026-10-25")).hasSize(25);
        assertThat(day("@daily", CAIRO, "2025-04-25")).containsExactly("01:00+03:00");
        assertThat(Cron.of("0 0 0 31 2 *", BERLIN).next(Instant.parse("2026-01-01T00:00:00Z")))
                .isEmpty();
        assertThat(Cron.of("0 0 0 29 2 *", BERLIN).next(Instant.parse("2025-01-01T00:00:00Z")))
                .contains(Instant.parse("2028-02-28T23:00:00Z"));
    }

    /** As the README shows it. */
    @Test
    void aRoundIsDescribedWithACronExpression() {
        Round report = Round.named("report")
                .schedule(Cron.of("0 30 2 * * *", ZoneId.of("Europe/Berlin")))
                .promise(Promise.AT_MOST_ONCE)
                .runTimeout(Duration.ofMinutes(10))
                .onLoss(LossPolicy.INTERRUPT)
                .work(context -> {});
        assertThat(report.schedule().next(Instant.parse("2026-06-01T00:00:00Z")))
                .contains(Instant.parse("2026-06-01T00:30:00Z"));
        assertThat(report.promise()).isEqualTo(Promise.AT_MOST_ONCE);
        assertThat(report.runTimeout()).contains(Duration.ofMinutes(10));
        assertThat(report.lossPolicy()).isEqualTo(LossPolicy.INTERRUPT);
    }

    @Test
    void whatIsNoExpressionIsRefusedByName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Cron.of("0 0 25 * * *", BERLIN))
                .withMessageContaining("\"0 0 25 * * *\" is no cron expression");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Cron.of("soon", BERLIN))
                .withMessageContaining("soon");
        assertThat(Cron.of("0 0 1 * * *", BERLIN)).hasToString("0 0 1 * * * in Europe/Berlin");
    }
}
