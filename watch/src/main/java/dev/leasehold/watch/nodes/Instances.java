package dev.leasehold.watch.nodes;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** The rows of the instances; the sweep deletes those of instances that are long gone. Only the database's clock decides how old a beat is. */
@Component
public final class Instances {

    /** An instance lives while its last beat is younger. Three beats fit in. */
    static final Duration LIVING = Duration.ofSeconds(15);

    private final JdbcClient jdbc;

    Instances(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Living ones first within each node. */
    public List<Instance> all() {
        return jdbc.sql("""
                        select id, node, pid, url, started_at, beat_at,
                               (extract(epoch from statement_timestamp() - beat_at) * 1000)::bigint as since_beat_ms
                          from instance
                         order by node, beat_at < statement_timestamp() - make_interval(secs => :living), started_at, id
                        """)
                .param("living", LIVING.toSeconds())
                .query((row, number) -> instance(row))
                .list();
    }

    void beat(ThisInstance instance) {
        jdbc.sql("""
                        insert into instance (id, node, pid, url)
                        values (:id, :node, :pid, :url)
                        on conflict (id) do update
                           set beat_at = statement_timestamp()
                        """)
                .param("id", instance.id())
                .param("node", instance.node())
                .param("pid", instance.pid())
                .param("url", instance.url())
                .update();
    }

    void leave(ThisInstance instance) {
        jdbc.sql("delete from instance where id = :id")
                .param("id", instance.id())
                .update();
    }

    private static Instance instance(ResultSet row) throws SQLException {
        var sinceBeat = Duration.ofMillis(row.getLong("since_beat_ms"));
        return new Instance(
                row.getString("id"),
                row.getString("node"),
                row.getLong("pid"),
                row.getString("url"),
                row.getObject("started_at", OffsetDateTime.class).toInstant(),
                row.getObject("beat_at", OffsetDateTime.class).toInstant(),
                sinceBeat,
                sinceBeat.compareTo(LIVING) < 0);
    }
}
