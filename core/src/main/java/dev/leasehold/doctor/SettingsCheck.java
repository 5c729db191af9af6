package dev.leasehold.doctor;

import dev.leasehold.doctor.SettingRules.Bite;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * {@link FindingKind#SETTINGS}: of the session that looks, and of other roles and databases, for the applications may be other
 * roles.
 */
final class SettingsCheck implements Check {

    @Override
    public List<Finding> look(Sight sight) throws SQLException {
        List<Setting> settings = new ArrayList<>(sight.settings().values());
        for (Setting setting : sight.rows(DoctorSql.SETTINGS_OF_ROLES, SettingsCheck::ofRole)) {
            if (!setting.isMine() || !cameWithTheSession(sight.settings().get(setting.name()))) {
                settings.add(setting.ofOthers());
            }
        }
        List<Finding> findings = new ArrayList<>(judge(settings));
        findings.addAll(DeadClients.judge(
                sight.settings(),
                LocksOnIdleConnections.idle(sight).stream()
                        .filter(session -> !session.client().isLocal())
                        .count()));
        return findings;
    }

    private static Setting ofRole(ResultSet row) throws SQLException {
        return new Setting(
                row.getString("name"),
                row.getString("value"),
                row.getString("source"),
                row.getString("role"),
                row.getString("database"),
                row.getBoolean("is_mine"),
                row.getBoolean("is_in_use"));
    }

    /** Then it is told as the session's own. One that was set later applies to the next session. */
    private static boolean cameWithTheSession(@Nullable Setting mine) {
        return mine != null && mine.isOfRoleOrDatabase();
    }

    private record Bitten(Setting setting, Bite bite) {}

    /** A finding for each setting that bites somewhere. */
    static List<Finding> judge(Collection<Setting> settings) {
        var byName = new TreeMap<String, List<Bitten>>();
        for (Setting setting : settings) {
            SettingRules.judge(setting)
                    .ifPresent(bite -> byName.computeIfAbsent(setting.name(), name -> new ArrayList<>())
                            .add(new Bitten(setting, bite)));
        }
        return byName.values().stream().map(SettingsCheck::finding).toList();
    }

    private static Finding finding(List<Bitten> all) {
        List<Bitten> worstFirst = all.stream()
                .sorted(Comparator.comparing((Bitten one) -> one.bite().severity())
                        .thenComparing(one -> !one.setting().isMine()))
                .toList();
        Setting first = worstFirst.get(0).setting();
        Bite bite = worstFirst.get(0).bite();
        int others = all.size() - 1;
        return new Finding(
                FindingKind.SETTINGS,
                bite.severity(),
                first.name() + " is " + OneLine.text(first.value()) + " " + first.where()
                        + (others == 0 ? "" : ", and " + others + " more"),
                evidence(worstFirst),
                bite.meaning(),
                first.remedy(bite.harmless()));
    }

    private static Evidence evidence(List<Bitten> all) {
        return Evidence.of(
                Column.texts("setting", "value", "source", "role", "database"),
                all.stream()
                        .map(Bitten::setting)
                        .map(setting -> List.<Object>of(
                                setting.name(),
                                OneLine.text(setting.value()),
                                setting.source(),
                                OneLine.text(setting.role()),
                                OneLine.text(setting.database())))
                        .toList());
    }
}
