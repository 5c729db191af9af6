package dev.leasehold.doctor;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What has to be read before the transaction of a look begins: settings, which that changes for itself, and what stands
 * between, which two transactions at a time could not tell.
 *
 * @param settings of the session, by name
 */
record Beforehand(Map<String, Setting> settings, Pooling pooling) {

    /** @param connection outside of a transaction, with autocommit */
    static Beforehand look(Connection connection, Look.From from) throws SQLException {
        return new Beforehand(
                settings(connection, from.questions().areNamesEscaped()), PoolerProbe.look(connection, from));
    }

    private static Map<String, Setting> settings(Connection connection, boolean areNamesEscaped) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.setQueryTimeout(Look.BOUND_SECONDS);
            try (var row = statement.executeQuery(DoctorSql.withNames(areNamesEscaped, DoctorSql.SETTINGS))) {
                var settings = new LinkedHashMap<String, Setting>();
                while (row.next()) {
                    var setting = new Setting(
                            row.getString("name"),
                            row.getString("value"),
                            row.getString("source"),
                            row.getString("role"),
                            row.getString("database"),
                            true,
                            true);
                    settings.put(setting.name(), setting);
                }
                return settings;
            }
        }
    }
}
