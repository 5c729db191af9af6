package dev.leasehold.watch.monitors;

import java.net.URI;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** The stored monitors. */
@Component
public final class Monitors {

    private final JdbcClient jdbc;

    Monitors(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    List<Monitor> all() {
        return jdbc.sql("""
                        select id, name, url, timeout_ms, webhook_url, source, created_at
                          from monitor
                         order by name
                        """).query((row, number) -> monitor(row)).list();
    }

    /** By id, or else by name: a name of digits takes no other monitor's address away. */
    Optional<Monitor> find(String nameOrId) {
        return jdbc.sql("""
                        select id, name, url, timeout_ms, webhook_url, source, created_at
                          from monitor
                         where name = :key or id::text = :key
                         order by id::text = :key desc
                         limit 1
                        """)
                .param("key", nameOrId)
                .query((row, number) -> monitor(row))
                .optional();
    }

    /** Empty if the name is taken. */
    Optional<Monitor> add(MonitorSpec spec) {
        return jdbc.sql("""
                        insert into monitor (name, url, timeout_ms, webhook_url, source)
                        values (:name, :url, :timeout, :webhook, 'api')
                        on conflict (name) do nothing
                        returning id, name, url, timeout_ms, webhook_url, source, created_at
                        """)
                .param("name", spec.name())
                .param("url", spec.url().toString())
                .param("timeout", spec.timeout().toMillis())
                .param("webhook", text(spec.webhook()))
                .query((row, number) -> monitor(row))
                .optional();
    }

    boolean remove(long id) {
        return jdbc.sql("delete from monitor where id = :id").param("id", id).update() == 1;
    }

    /** Makes the rows that came from the file be what the file says; part of the caller's transaction. */
    public void follow(List<MonitorSpec> file) {
        jdbc.sql("""
                        delete from monitor
                         where source = 'file'
                           and not name = any (:names)
                        """)
                .param("names", file.stream().map(MonitorSpec::name).toArray(String[]::new))
                .update();
        for (MonitorSpec spec : file) {
            jdbc.sql("""
                            insert into monitor (name, url, timeout_ms, webhook_url, source)
                            values (:name, :url, :timeout, :webhook, 'file')
                            on conflict (name) do update
                               set url = excluded.url,
                                   timeout_ms = excluded.timeout_ms,
                                   webhook_url = excluded.webhook_url,
                                   source = excluded.source
                            """)
                    .param("name", spec.name())
                    .param("url", spec.url().toString())
                    .param("timeout", spec.timeout().toMillis())
                    .param("webhook", text(spec.webhook()))
                    .update();
        }
    }

    private static @Nullable String text(@Nullable URI url) {
        return url == null ? null : url.toString();
    }

    private static Monitor monitor(ResultSet row) throws SQLException {
        String webhook = row.getString("webhook_url");
        return new Monitor(
                row.getLong("id"),
                row.getString("name"),
                URI.create(row.getString("url")),
                Duration.ofMillis(row.getInt("timeout_ms")),
                webhook == null ? null : URI.create(webhook),
                row.getString("source"),
                row.getObject("created_at", OffsetDateTime.class).toInstant());
    }
}
