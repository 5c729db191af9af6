package dev.leasehold.watch.alerts;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What is to be delivered. Each method is one statement; only the database's clock says what is due. */
final class Outbox {

    // A claim is a next attempt that lies ahead: no other process takes the row until then, and if this one dies, one
    // does. A monitor's transitions go out in their order: one waits until those before it on its channel are
    // delivered.
    private static final String CLAIM = """
            with due as (
              select monitor_id, seq, channel
              from outbox o
              where delivered_at is null
                and next_attempt_at <= statement_timestamp()
                and not exists (
                  select
                  from outbox before
                  where before.monitor_id = o.monitor_id
                    and before.channel = o.channel
                    and before.seq < o.seq
                    and before.delivered_at is null)
              order by next_attempt_at, monitor_id, seq, channel
              limit :most
              for no key update skip locked
            )
            update outbox o
            set attempts = o.attempts + 1,
                next_attempt_at = statement_timestamp() + make_interval(secs => :claim_seconds)
            from due
            join transition t on t.monitor_id = due.monitor_id and t.seq = due.seq
            join monitor m on m.id = due.monitor_id
            where o.monitor_id = due.monitor_id and o.seq = due.seq and o.channel = due.channel
            returning o.monitor_id, o.seq, o.channel, o.attempts, m.name, m.url,
                      coalesce(m.webhook_url, cast(:global_webhook as text)) as webhook_url,
                      t.from_state, t.to_state, t.occurred_at, t.detail
            """;

    // It has arrived: that is true whoever else has claimed it meanwhile.
    private static final String DELIVERED = """
            update outbox
            set delivered_at = statement_timestamp(), last_error = null
            where monitor_id = :monitor and seq = :seq and channel = :channel and delivered_at is null
            """;

    // Only by the process whose claim is the last one.
    private static final String FAILED = """
            update outbox
            set last_error = :error,
                next_attempt_at = statement_timestamp() + make_interval(secs => :wait_seconds)
            where monitor_id = :monitor and seq = :seq and channel = :channel and delivered_at is null
              and attempts = :attempt
            """;

    private final JdbcClient jdbc;
    private final @Nullable String globalWebhook;

    Outbox(JdbcClient jdbc, @Nullable String globalWebhook) {
        this.jdbc = jdbc;
        this.globalWebhook = globalWebhook;
    }

    List<Notification> claim(int most, Duration claim) {
        return jdbc.sql(CLAIM)
                .param("most", most)
                .param("claim_seconds", claim.toMillis() / 1000.0)
                .param("global_webhook", globalWebhook)
                .query(Outbox::notification)
                .list();
    }

    private static Notification notification(ResultSet row, int number) throws SQLException {
        return new Notification(
                row.getLong("monitor_id"),
                row.getLong("seq"),
                row.getString("channel"),
                row.getInt("attempts"),
                row.getString("name"),
                row.getString("url"),
                row.getString("webhook_url"),
                row.getString("from_state"),
                row.getString("to_state"),
                row.getTimestamp("occurred_at").toInstant(),
                row.getString("detail"));
    }

    void delivered(Notification notification) {
        of(DELIVERED, notification).update();
    }

    void failed(Notification notification, String error, Duration wait) {
        of(FAILED, notification)
                .param("attempt", notification.attempt())
                .param("error", error)
                .param("wait_seconds", wait.toMillis() / 1000.0)
                .update();
    }

    private JdbcClient.StatementSpec of(String sql, Notification notification) {
        return jdbc.sql(sql)
                .param("monitor", notification.monitorId())
                .param("seq", notification.seq())
                .param("channel", notification.channel());
    }
}
