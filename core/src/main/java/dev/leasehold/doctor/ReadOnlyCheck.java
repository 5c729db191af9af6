package dev.leasehold.doctor;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@link FindingKind#READ_ONLY}. */
final class ReadOnlyCheck implements Check {

    /**
     * Whether the server is a standby, and whose.
     *
     * @param primary host and port; empty if it receives nothing, or the role may not see it
     * @param behind the age of the last commit that was replayed; empty if there was none
     */
    record Recovery(boolean isStandby, Optional<String> primary, Optional<Duration> behind) {}

    @Override
    public List<Finding> look(Sight sight) throws SQLException {
        Recovery recovery = sight.rows(
                        DoctorSql.RECOVERY,
                        row -> new Recovery(
                                row.getBoolean("is_standby"),
                                Optional.ofNullable(row.getString("primary")),
                                Optional.ofNullable(row.getObject("behind_millis", Long.class))
                                        .map(Duration::ofMillis)))
                .get(0);
        return judge(recovery, Optional.ofNullable(sight.settings().get("default_transaction_read_only")));
    }

    static List<Finding> judge(Recovery recovery, Optional<Setting> readOnly) {
        var findings = new ArrayList<Finding>();
        if (recovery.isStandby()) {
            findings.add(standby(recovery));
        }
        readOnly.filter(setting -> !SettingRules.isOff(setting.value()))
                .map(ReadOnlyCheck::byDefault)
                .ifPresent(findings::add);
        return findings;
    }

    private static Finding standby(Recovery recovery) {
        String primary = recovery.primary().map(OneLine::text).orElse("");
        return new Finding(
                FindingKind.READ_ONLY,
                Severity.PROBLEM,
                "this server is a standby" + (primary.isEmpty() ? "" : " of " + primary)
                        + ": nothing can be written here",
                Evidence.of(
                        List.of(Column.text("primary"), Column.duration("replayed_ago")),
                        List.of(List.of(primary, Evidence.cell(recovery.behind())))),
                "Every write fails with 25006, that of a lease too. A pool keeps such connections after a failover.",
                Remedy.now(
                                "Connect to the primary, and let the pool give up its old connections: restart the instance if it"
                                        + " does not.")
                        .forGood(
                                "List all servers in the URL, with targetServerType=primary (target_session_attrs=read-write"
                                        + " for libpq)."));
    }

    private static Finding byDefault(Setting setting) {
        return new Finding(
                FindingKind.READ_ONLY,
                Severity.PROBLEM,
                "transactions are read-only by default " + setting.where(),
                Evidence.of(
                        Column.texts("setting", "value", "source", "role", "database"),
                        List.of(List.of(
                                setting.name(),
                                setting.value(),
                                setting.source(),
                                OneLine.text(setting.role()),
                                OneLine.text(setting.database())))),
                "A write fails with 25006 unless its transaction asks to be read write. Leases ask for it; most applications"
                        + " do not.",
                setting.remedy("off"));
    }
}
