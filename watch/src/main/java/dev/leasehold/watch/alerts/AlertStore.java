package dev.leasehold.watch.alerts;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** The stored states, the newest results beside them, and the transitions. */
final class AlertStore {

    // Fresh by the database's clock; the newest is that of the latest slot, whichever was written last.
    private static final String NEWEST = """
            select m.id, s.state, s.seq, r.node, r.outcome, r.detail
            from (select distinct on (monitor_id, node) monitor_id, node, outcome, detail
                  from check_result
                  where checked_at > statement_timestamp() - make_interval(secs => :fresh_seconds)
                  order by monitor_id, node, slot desc) r
            join monitor m on m.id = r.monitor_id
            left join monitor_state s on s.monitor_id = m.id
            order by m.id, r.node
            """;

    // Whoever comes second with the same number writes nothing; nor is anything written of a monitor that is gone.
    private static final String TRANSITION = """
            insert into transition (monitor_id, seq, from_state, to_state, detail)
            select id, :seq, :from, :to, :detail
            from monitor
            where id = :monitor
            for key share
            on conflict (monitor_id, seq) do nothing
            """;

    private static final String FIRST_STATE = """
            insert into monitor_state (monitor_id, state, seq, since)
            values (:monitor, :to, :seq, now())
            on conflict (monitor_id) do nothing
            """;

    // Only from the state that was decided upon.
    private static final String NEXT_STATE = """
            update monitor_state
            set state = :to, seq = :seq, since = now()
            where monitor_id = :monitor and seq = :seq - 1
            """;

    private static final String OUTBOX = """
            insert into outbox (monitor_id, seq, channel)
            select m.id, :seq, c.channel
            from monitor m
            cross join (values ('log'), ('webhook')) as c (channel)
            where m.id = :monitor and (c.channel = 'log' or m.webhook_url is not null or :global_webhook)
            on conflict (monitor_id, seq, channel) do nothing
            """;

    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;
    private final boolean globalWebhook;

    AlertStore(JdbcClient jdbc, TransactionTemplate transactions, boolean globalWebhook) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.globalWebhook = globalWebhook;
    }

    /** Every monitor of which some node has a fresh result. */
    List<Evaluated> evaluated(Duration freshFor) {
        Map<Long, Evaluated> monitors = new LinkedHashMap<>();
        jdbc.sql(NEWEST).param("fresh_seconds", freshFor.toMillis() / 1000.0).query(row -> {
            Known known = known(row);
            monitors.computeIfAbsent(row.getLong("id"), id -> new Evaluated(id, known, new ArrayList<>()))
                    .sightings()
                    .add(new Sighting(row.getString("node"), row.getString("outcome"), row.getString("detail")));
        });
        return List.copyOf(monitors.values());
    }

    private static @Nullable Known known(ResultSet row) throws SQLException {
        String state = row.getString("state");
        return state == null ? null : new Known(State.of(state), row.getLong("seq"));
    }

    /** All of it, or nothing if the state is no longer the one that was decided upon. */
    void record(long monitorId, Change change) {
        transactions.executeWithoutResult(transaction -> record(monitorId, change, transaction));
    }

    private void record(long monitorId, Change change, TransactionStatus transaction) {
        int recorded = jdbc.sql(TRANSITION)
                .param("monitor", monitorId)
                .param("seq", change.seq())
                .param("from", change.from() == null ? null : change.from().word())
                .param("to", change.to().word())
                .param("detail", change.detail())
                .update();
        if (recorded == 0) {
            return;
        }
        int moved = jdbc.sql(change.from() == null ? FIRST_STATE : NEXT_STATE)
                .param("monitor", monitorId)
                .param("to", change.to().word())
                .param("seq", change.seq())
                .update();
        if (moved == 0) {
            transaction.setRollbackOnly();
            return;
        }
        if (change.told()) {
            jdbc.sql(OUTBOX)
                    .param("monitor", monitorId)
                    .param("seq", change.seq())
                    .param("global_webhook", globalWebhook)
                    .update();
        }
    }
}
