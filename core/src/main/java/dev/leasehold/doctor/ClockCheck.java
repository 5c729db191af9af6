package dev.leasehold.doctor;

import java.time.Duration;
import java.util.List;

/** {@link FindingKind#CLOCK}. */
final class ClockCheck implements Check {

    private static final Duration TOLD_FROM = Duration.ofSeconds(1);

    @Override
    public List<Finding> look(Sight sight) {
        return judge(sight.clock());
    }

    static List<Finding> judge(ClockReading clock) {
        Duration ahead = clock.databaseAhead();
        Duration surely = ahead.abs().minus(clock.uncertainty());
        if (surely.compareTo(TOLD_FROM) <= 0) {
            return List.of();
        }
        String title = "the database's clock is " + Ages.text(ahead) + (ahead.isNegative() ? " behind" : " ahead of")
                + " this machine's";
        return List.of(new Finding(
                FindingKind.CLOCK,
                Severity.INFORMATION,
                title,
                Evidence.of(
                        List.of(Column.text("database"), Column.text("machine"), Column.duration("uncertainty")),
                        List.of(List.of(
                                clock.database().toString(), clock.after().toString(), clock.uncertainty()))),
                "No lease depends on it: only the database's clock decides. Logs of the two do not fit together, and"
                        + " applications that compare the two decide wrongly.",
                Remedy.now("Have both clocks set by NTP.")));
    }
}
