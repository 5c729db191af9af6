package dev.leasehold.watch.page;

import dev.leasehold.watch.page.Snapshot.DomainRow;
import dev.leasehold.watch.page.Snapshot.FindingRow;
import dev.leasehold.watch.page.Snapshot.MonitorRow;
import dev.leasehold.watch.page.Snapshot.ResultRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** What the page reads of monitors and domains. Lists hold at most {@link #MOST} entries: it is a page, not an export. */
@Component
final class SnapshotQueries {

    static final int MOST = 500;

    private final JdbcClient jdbc;

    SnapshotQueries(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    Instant now() {
        return jdbc.sql("select statement_timestamp()")
                .query((row, number) -> instant(row, 1))
                .single();
    }

    /** The newest result of a node is one step into the primary key, for each node that has an instance. */
    List<MonitorRow> monitors() {
        Map<Long, MonitorRow> monitors = new LinkedHashMap<>();
        jdbc.sql("""
                        select m.id, m.name, m.url, s.state, s.since,
                               r.node, r.outcome, r.status_code, r.duration_ms, r.detail, r.checked_at
                          from (select id, name, url from monitor order by name limit :most) m
                          left join monitor_state s on s.monitor_id = m.id
                          left join lateral (
                               select newest.node, newest.outcome, newest.status_code, newest.duration_ms, newest.detail,
                                      newest.checked_at
                                 from (select distinct node from instance) n
                                cross join lateral (
                                      select c.node, c.outcome, c.status_code, c.duration_ms, c.detail, c.checked_at
                                        from check_result c
                                       where c.monitor_id = m.id
                                         and c.node = n.node
                                       order by c.slot desc
                                       limit 1) newest) r on true
                         order by m.name, r.node
                        """).param("most", MOST).query(row -> {
            MonitorRow monitor = monitors.get(row.getLong("id"));
            if (monitor == null) {
                monitor = new MonitorRow(
                        row.getString("name"),
                        row.getString("url"),
                        row.getString("state"),
                        instant(row, "since"),
                        new ArrayList<>());
                monitors.put(row.getLong("id"), monitor);
            }
            if (row.getString("node") != null) {
                monitor.results().add(result(row));
            }
        });
        return List.copyOf(monitors.values());
    }

    private static ResultRow result(ResultSet row) throws SQLException {
        return new ResultRow(
                row.getString("node"),
                row.getString("outcome"),
                Optional.ofNullable(row.getObject("status_code", Integer.class)),
                Duration.ofMillis(row.getInt("duration_ms")),
                row.getString("detail"),
                instant(row, 11));
    }

    List<DomainRow> domains() {
        Map<Long, DomainRow> domains = new LinkedHashMap<>();
        jdbc.sql("""
                        select d.id, d.name, c.checked_at, c.conclusive, f.subject, f.status, f.record, f.explanation, f.found_at
                          from (select id, name from domain order by name limit :most) d
                          left join mail_check c on c.domain_id = d.id
                          left join mail_finding f on f.domain_id = d.id
                         order by d.name, f.subject desc
                        """).param("most", MOST).query(row -> {
            DomainRow domain = domains.get(row.getLong("id"));
            if (domain == null) {
                domain = new DomainRow(
                        row.getString("name"),
                        instant(row, "checked_at"),
                        row.getBoolean("conclusive"),
                        new ArrayList<>());
                domains.put(row.getLong("id"), domain);
            }
            if (row.getString("subject") != null) {
                domain.findings()
                        .add(new FindingRow(
                                row.getString("subject"),
                                row.getString("status"),
                                row.getString("record"),
                                row.getString("explanation"),
                                instant(row, 9)));
            }
        });
        return List.copyOf(domains.values());
    }

    private static Instant instant(ResultSet row, int column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
