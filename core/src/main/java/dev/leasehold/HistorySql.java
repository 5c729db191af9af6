package dev.leasehold;

/**
 * Every statement on the run history. A file of its own beside {@link LeaseSql}, for it is another table with other laws: a
 * row is written twice in its life, by upserts that may come late, twice, or in the other order, and no lease depends on it.
 * In common they have that each runs in psql once its {@code :parameters} are filled in, and knows only the database's clock;
 * what happened a moment ago is told by how long ago that was.
 */
final class HistorySql {

    private HistorySql() {}

    /**
     * Sent before each statement that writes, together with it: a locked table is waited for at its name, so the bound must
     * stand before. Nothing waits for the disk. A history is for people: what the last moments before a crash of the database
     * have written may be missing, and a row whose begin is missing comes with its end.
     */
    static final String BOUNDS = """
            select set_config('lock_timeout', :lock_timeout, true),
                   set_config('synchronous_commit', 'off', true)
            """;

    /**
     * A run begins. If its taker has written it down as dead before, or its own end came first, only what the taker could not
     * know is added.
     */
    static final String BEGAN = """
            insert into round_runs as r
                   (lease, fence, round, node, slot, extra, holder, started_at, counted)
            values (:lease,
                    :fence,
                    :round,
                    :node,
                    nullif(:slot, '')::timestamptz,
                    :extra,
                    :holder,
                    statement_timestamp() - :ago_micros * interval '1 microsecond',
                    :counted)
            on conflict (lease, fence) do update
               set node = excluded.node,
                   slot = excluded.slot,
                   extra = excluded.extra,
                   counted = excluded.counted
             where r.node is null
            """;

    /**
     * A run has ended, by its own word, which replaces its taker's; the first one holds. The row is made if there is none.
     */
    static final String ENDED = """
            insert into round_runs as r
                   (lease, fence, round, node, slot, extra, holder, started_at, ended_at, outcome, counted, error)
            values (:lease,
                    :fence,
                    :round,
                    :node,
                    nullif(:slot, '')::timestamptz,
                    :extra,
                    :holder,
                    statement_timestamp() - (:ago_micros + :took_micros) * interval '1 microsecond',
                    statement_timestamp() - :ago_micros * interval '1 microsecond',
                    :outcome,
                    :counted,
                    nullif(:error, ''))
            on conflict (lease, fence) do update
               set node = excluded.node,
                   slot = excluded.slot,
                   extra = excluded.extra,
                   ended_at = excluded.ended_at,
                   outcome = excluded.outcome,
                   counted = excluded.counted,
                   error = excluded.error
             where r.outcome is null
                or r.outcome = 'DIED'
            """;

    /**
     * A run was found dead, by its taker, who knows neither its slot nor its node, and when its lease was acquired: a row that
     * the run itself began keeps them, and what the run itself has said of its end holds.
     */
    static final String DIED = """
            insert into round_runs as r
                   (lease, fence, round, extra, holder, started_at, ended_at, outcome, counted)
            values (:lease,
                    :fence,
                    :round,
                    false,
                    :holder,
                    :taken_at,
                    statement_timestamp() - :ago_micros * interval '1 microsecond',
                    'DIED',
                    :counted)
            on conflict (lease, fence) do update
               set ended_at = excluded.ended_at,
                   outcome = excluded.outcome
             where r.outcome is null
            """;

    /** The last runs of all rounds. */
    static final String RUNS = """
            select lease,
                   fence,
                   round,
                   node,
                   slot,
                   extra,
                   holder,
                   started_at,
                   ended_at,
                   outcome,
                   counted,
                   error
              from round_runs
             order by started_at desc, fence desc
             limit :most
            """;

    /** The last runs of a round, on all nodes. */
    static final String RUNS_OF = """
            select lease,
                   fence,
                   round,
                   node,
                   slot,
                   extra,
                   holder,
                   started_at,
                   ended_at,
                   outcome,
                   counted,
                   error
              from round_runs
             where round = :round
             order by started_at desc, fence desc
             limit :most
            """;

    /**
     * Deletes runs that ended before a time, and those that began before it and never ended, :most of them at most. Locked ones
     * are skipped. Need not wait for the disk: lost in a crash, the row is only deleted later.
     */
    static final String DELETE_OLD = """
            with
            old as (
              select lease, fence
                from round_runs
               where started_at < statement_timestamp() - :age_micros * interval '1 microsecond'
                 and (ended_at is null
                      or ended_at < statement_timestamp() - :age_micros * interval '1 microsecond')
               order by started_at
               limit :most
                 for update skip locked
            ),
            deleted as (
              delete from round_runs
               using old
               where round_runs.lease = old.lease
                 and round_runs.fence = old.fence
                 and set_config('synchronous_commit', 'off', true) is not null
              returning round_runs.fence
            )
            select count(*) as deleted
              from deleted
            """;
}
