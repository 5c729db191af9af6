package dev.leasehold.doctor;

import static dev.leasehold.doctor.Column.duration;
import static dev.leasehold.doctor.Column.text;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@link FindingKind#REPLICATION}, of a primary. */
final class ReplicationCheck implements Check {

    private static final Duration LONG_COMMIT = Duration.ofSeconds(5);
    private static final Pattern NUMBER = Pattern.compile("(?i)\\s*(?:first\\s+|any\\s+)?(\\d+)\\s*\\(.*");

    /**
     * A receiver of the write-ahead log. All but the fact that it is there may be hidden from the role.
     *
     * @param sync async, potential, sync or quorum
     */
    record Standby(
            @Nullable String name,
            @Nullable String address,
            @Nullable String state,
            @Nullable String sync,
            Optional<Duration> lag) {

        boolean isHidden() {
            return sync == null;
        }

        boolean isSynchronous() {
            return "streaming".equals(state) && ("sync".equals(sync) || "quorum".equals(sync));
        }
    }

    /** Commits that wait for a standby, as far as the role sees them. */
    record Waits(long sessions, Duration longest) {}

    @Override
    public List<Finding> look(Sight sight) throws SQLException {
        boolean isStandby = sight.rows(DoctorSql.RECOVERY, row -> row.getBoolean("is_standby"))
                .get(0);
        if (isStandby) {
            return List.of();
        }
        List<Standby> standbys = sight.rows(
                DoctorSql.STANDBYS,
                row -> new Standby(
                        row.getString("name"),
                        row.getString("address"),
                        row.getString("state"),
                        row.getString("sync"),
                        Optional.ofNullable(row.getObject("lag_millis", Long.class))
                                .map(Duration::ofMillis)));
        Waits waits = sight.rows(
                        DoctorSql.COMMITS_THAT_WAIT,
                        row -> new Waits(row.getLong("sessions"), Duration.ofMillis(row.getLong("longest_millis"))))
                .get(0);
        Setting names = sight.settings().get("synchronous_standby_names");
        return judge(names == null ? "" : names.value(), standbys, waits);
    }

    /** @param names the value of synchronous_standby_names */
    static List<Finding> judge(String names, List<Standby> standbys, Waits waits) {
        if (names.isBlank()) {
            return standbys.isEmpty() ? List.of() : List.of(asynchronous(standbys));
        }
        boolean tooFew =
                streaming(standbys).filter(there -> there < needed(names)).isPresent();
        boolean hang = waits.sessions() > 0 && waits.longest().compareTo(LONG_COMMIT) > 0;
        return List.of(tooFew || hang ? hanging(names, standbys, waits) : synchronous(names, standbys));
    }

    /** How many synchronous ones there are; empty if the role may not see it. */
    private static Optional<Long> streaming(List<Standby> standbys) {
        return standbys.stream().anyMatch(Standby::isHidden)
                ? Optional.empty()
                : Optional.of(standbys.stream().filter(Standby::isSynchronous).count());
    }

    private static Finding asynchronous(List<Standby> standbys) {
        return new Finding(
                FindingKind.REPLICATION,
                Severity.INFORMATION,
                Counted.text(standbys.size(), "standby receiver") + ", and no commit waits for one"
                        + " (synchronous_standby_names is empty)",
                evidence(standbys),
                "A failover can lose the last commits, also of leases: then two holders can trust the same name until the"
                        + " older one has it renewed or runs out. The fence grows all the same.",
                Remedy.none().forGood("Name a synchronous standby where an overlap after a failover would hurt."));
    }

    private static Finding synchronous(String names, List<Standby> standbys) {
        boolean someAreHidden = streaming(standbys).isEmpty();
        return new Finding(
                FindingKind.REPLICATION,
                Severity.INFORMATION,
                "commits wait for a synchronous standby (" + OneLine.text(names) + ")"
                        + (someAreHidden ? "; whether one is there is hidden from this role" : ""),
                evidence(standbys),
                "A standby that is slow or away holds up every commit, also the renewal of leases.",
                someAreHidden ? Remedy.now("To see it, look as a role with pg_read_all_stats.") : Remedy.none());
    }

    private static Finding hanging(String names, List<Standby> standbys, Waits waits) {
        String there = streaming(standbys)
                .map(number ->
                        ", and " + number + " of " + needed(names) + (number == 1 ? " is" : " are") + " streaming")
                .orElse("");
        String who = waits.sessions() == 0
                ? ""
                : "; " + Counted.text(waits.sessions(), "session") + (waits.sessions() == 1 ? " waits" : " wait")
                        + ", the longest for " + Ages.text(waits.longest());
        return new Finding(
                FindingKind.REPLICATION,
                Severity.PROBLEM,
                "commits hang: they wait for a synchronous standby (" + OneLine.text(names) + ")" + there + who,
                evidence(standbys),
                "A write does not come back, and keeps its connection, until a standby has confirmed it. Leases run out"
                        + " meanwhile.",
                Remedy.now(
                        "Bring the standby back; or go on without one, and lose what is committed from then on if this"
                                + " server is lost.",
                        "alter system set synchronous_standby_names = '';",
                        "select pg_reload_conf();"));
    }

    /** How many standbys a commit waits for. */
    static int needed(String names) {
        Matcher matcher = NUMBER.matcher(names);
        return matcher.matches() ? Integer.parseInt(matcher.group(1)) : 1;
    }

    private static Evidence evidence(List<Standby> standbys) {
        return Evidence.of(
                List.of(text("standby"), text("address"), text("state"), text("sync"), duration("lag")),
                standbys.stream()
                        .map(one -> List.of(
                                (Object) OneLine.text(one.name()),
                                OneLine.text(one.address()),
                                OneLine.text(one.state()),
                                OneLine.text(one.sync()),
                                Evidence.cell(one.lag())))
                        .toList());
    }
}
