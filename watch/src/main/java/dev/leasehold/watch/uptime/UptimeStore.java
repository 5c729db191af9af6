package dev.leasehold.watch.uptime;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The monitors to check, and what the checks gave. Each method is one statement: a connection for a moment. */
final class UptimeStore {

    private static final String MONITORS = """
            select id, url, timeout_ms
            from monitor
            order by id
            """;

    // One statement for all results. A monitor that is gone or has another URL by now gets none: what was seen is not
    // about it. The first result of a slot stays.
    private static final String SAVE = """
            insert into check_result (monitor_id, node, slot, outcome, status_code, duration_ms, detail)
            select seen.monitor_id, :node, :slot, seen.outcome, seen.status_code, seen.duration_ms, seen.detail
            from unnest(
                   cast(:monitors as bigint[]), cast(:urls as text[]), cast(:outcomes as text[]),
                   cast(:statuses as int[]), cast(:durations as int[]), cast(:details as text[]))
                 as seen (monitor_id, url, outcome, status_code, duration_ms, detail)
            join monitor on monitor.id = seen.monitor_id and monitor.url = seen.url
            order by seen.monitor_id
            for key share of monitor
            on conflict (monitor_id, node, slot) do nothing
            """;

    private final JdbcClient jdbc;

    UptimeStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    List<Monitor> monitors() {
        return jdbc.sql(MONITORS).query(UptimeStore::monitor).list();
    }

    private static Monitor monitor(ResultSet row, int number) throws SQLException {
        return new Monitor(row.getLong("id"), row.getString("url"), Duration.ofMillis(row.getInt("timeout_ms")));
    }

    void save(String node, Instant slot, List<CheckResult> results) {
        jdbc.sql(SAVE)
                .param("node", node)
                .param("slot", Timestamp.from(slot))
                .param("monitors", column(results, CheckResult::monitorId, new Long[0]))
                .param("urls", column(results, CheckResult::url, new String[0]))
                .param("outcomes", column(results, r -> r.verdict().outcome().word(), new String[0]))
                .param("statuses", column(results, r -> r.verdict().status(), new Integer[0]))
                .param("durations", column(results, r -> (int) r.duration().toMillis(), new Integer[0]))
                .param("details", column(results, r -> r.verdict().detail(), new String[0]))
                .update();
    }

    private static <T> T[] column(List<CheckResult> results, Function<CheckResult, T> value, T[] empty) {
        return results.stream().map(value).toList().toArray(empty);
    }
}
