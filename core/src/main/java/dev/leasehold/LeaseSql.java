package dev.leasehold;

/**
 * Every statement on the lease table. Each runs in psql once its {@code :parameters} are filled in, and keeps the laws of
 * the package page: only the database's clock, no wait for a row lock unless the statement says so, a short transaction
 * of its own.
 */
final class LeaseSql {

    private LeaseSql() {}

    /**
     * Acquires a lease if its row is free and nobody has it locked. Sent together with {@link #LOOK}, in one round trip and
     * one transaction: a win is a row whose holder is mine.
     *
     * <p>The row is locked only if it is free, so a refusal assigns no transaction id. Free is a row that was released, or that
     * has run out and whose holder does not stand in line for it ({@link #RENEW_WAITING}). The update sees the row as it was
     * locked, also when another's commit came between. The commit is durable whatever the role's default.
     */
    static final String ACQUIRE = """
            update leases
               set holder = :holder,
                   taken_at = statement_timestamp(),
                   expires_at = statement_timestamp() + :ttl_micros * interval '1 microsecond',
                   fence = greatest(fence + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint),
                   deaths = case when expires_at > 'epoch' and holder <> '-' then deaths + 1 else 0 end
             where name = (select name
                             from leases
                            where name = :name
                              and expires_at < statement_timestamp()
                              and (expires_at = 'epoch' or pg_try_advisory_xact_lock(hashtextextended(name, tableoid::bigint)))
                              for no key update skip locked)
               and (current_setting('synchronous_commit') <> 'off'
                    or set_config('synchronous_commit', 'on', true) is not null)
            """;

    /** Says who holds a lease, and for how long yet; no row if the name has none. */
    static final String LOOK = """
            select name,
                   holder,
                   fence,
                   deaths,
                   case when isfinite(expires_at)
                        then (extract(epoch from expires_at - statement_timestamp()) * 1000000)::bigint
                   end as left_micros
              from leases
             where name = :name
            """;

    /** As {@link #ACQUIRE}, for many names at once, each of its own holder. Sent together with {@link #LOOK_MANY}. */
    static final String ACQUIRE_MANY = """
            with
            free as (
              select l.name,
                     asked.holder,
                     asked.ttl_micros,
                     l.expires_at = 'epoch' or pg_try_advisory_xact_lock(hashtextextended(l.name, l.tableoid::bigint)) as is_nobodys
                from unnest(:names::text[], :holders::text[], :ttls_micros::bigint[]) as asked (name, holder, ttl_micros)
                join leases l on l.name = asked.name
               where l.expires_at < statement_timestamp()
                 for no key update of l skip locked
            )
            update leases
               set holder = free.holder,
                   taken_at = statement_timestamp(),
                   expires_at = statement_timestamp() + free.ttl_micros * interval '1 microsecond',
                   fence = greatest(fence + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint),
                   deaths = case when expires_at > 'epoch' and leases.holder <> '-' then deaths + 1 else 0 end
              from free
             where leases.name = free.name
               and free.is_nobodys
               and (current_setting('synchronous_commit') <> 'off'
                    or set_config('synchronous_commit', 'on', true) is not null)
            """;

    /** As {@link #LOOK}, for many names at once. */
    static final String LOOK_MANY = """
            select name,
                   holder,
                   fence,
                   deaths,
                   case when isfinite(expires_at)
                        then (extract(epoch from expires_at - statement_timestamp()) * 1000000)::bigint
                   end as left_micros
              from leases
             where name = any(:names::text[])
            """;

    /**
     * Acquires a name that has no row yet. Sent before {@link #ACQUIRE} and {@link #LOOK}, together with them, by who has
     * not met the name before.
     *
     * <p>Can wait, for another's insert of the same name, and no longer than lock_timeout.
     */
    static final String ACQUIRE_FIRST = """
            insert into leases (name, holder, taken_at, expires_at, fence)
            select :name,
                   :holder,
                   statement_timestamp(),
                   statement_timestamp() + :ttl_micros * interval '1 microsecond',
                   (extract(epoch from clock_timestamp()) * 1000000)::bigint
             where not exists (select from leases where name = :name)
               and set_config('lock_timeout', :lock_timeout, true) is not null
               and (current_setting('synchronous_commit') <> 'off'
                    or set_config('synchronous_commit', 'on', true) is not null)
            on conflict (name) do nothing
            """;

    /** Where the statements for many slots find them. */
    static final String MANY_SLOTS = """
            unnest(:names::text[], :holders::text[], :periods_micros::bigint[], :offsets_micros::bigint[],
                          :windows::text[], :stamps::text[])
                       with ordinality as a""";

    /** What stands there instead if there is only one: the planner cannot reuse a plan for arrays, and plans anew each time. */
    static final String ONE_SLOT = """
            (values (:name::text, :holder::text, :period_micros::bigint, :offset_micros::bigint,
                             :window::text, :stamp::text, 1)) as a""";

    /**
     * The slots that are asked for. Of a grid (its window is empty) the slot is told by its period and offset; of other
     * schedules a window of instants is sent, and the last that has come is the slot. The last counted slot is too far ahead
     * beyond {@code latest}: then a clock was wrong. The subselects are evaluated for a grid too when a row was changed under the
     * statement and is looked at again, so they bear its empty window.
     */
    static final String ASKED = """
            asked as (
              select a.number,
                     a.name,
                     a.holder,
                     a.stamp,
                     case
                       when a.window_text = ''
                       then date_bin(a.period_micros * interval '1 microsecond',
                                     now(),
                                     'epoch'::timestamptz + a.offset_micros * interval '1 microsecond')
                       else (select max(i) from unnest(nullif(a.window_text, '')::timestamptz[]) as i where i <= now())
                     end as slot,
                     case
                       when a.window_text = ''
                       then date_bin(a.period_micros * interval '1 microsecond',
                                     now(),
                                     'epoch'::timestamptz + a.offset_micros * interval '1 microsecond')
                            + a.period_micros * interval '1 microsecond'
                       else (select min(i) from unnest(nullif(a.window_text, '')::timestamptz[]) as i where i > now())
                     end as next_slot,
                     case
                       when a.window_text = '' then a.period_micros / 2
                       else 0
                     end * interval '1 microsecond' as tolerance,
                     case
                       when a.window_text = '' then now() + a.period_micros * interval '1 microsecond'
                       else (select min(i)
                               from unnest(nullif(a.window_text, '')::timestamptz[]) as i
                              where i > now())
                     end as latest
                from unnest(:names::text[], :holders::text[], :periods_micros::bigint[], :offsets_micros::bigint[],
                          :windows::text[], :stamps::text[])
                       with ordinality as a (name, holder, period_micros, offset_micros, window_text, stamp, number)
            )
            """;

    /**
     * What stands there instead if there is only one, and that is of a grid, as most are: the windows cost the server more than
     * all the rest, also where there are none.
     */
    static final String ASKED_ONE_GRID = """
            asked as (
              select 1 as number,
                     :name::text as name,
                     :holder::text as holder,
                     :stamp::text as stamp,
                     date_bin(:period_micros::bigint * interval '1 microsecond',
                              now(),
                              'epoch'::timestamptz + :offset_micros::bigint * interval '1 microsecond') as slot,
                     date_bin(:period_micros::bigint * interval '1 microsecond',
                              now(),
                              'epoch'::timestamptz + :offset_micros::bigint * interval '1 microsecond')
                       + :period_micros::bigint * interval '1 microsecond' as next_slot,
                     :period_micros::bigint / 2 * interval '1 microsecond' as tolerance,
                     now() + :period_micros::bigint * interval '1 microsecond' as latest
            )
            """;

    /**
     * As {@link #ACQUIRE_MANY}, and only where the round is not paused, and due: its own slot lies more than half a period
     * after the last counted slot (of a schedule without a period: after it), or none was ever counted, or the last counted one
     * lies too far ahead. With the stamp {@code never} it need not be due, and may rest: nobody holds a row that rests. Nor does a
     * rest hold that was begun in the future: a clock was wrong. Sent together with {@link #LOOK_AT_SLOTS}, and what stood in the
     * row before is left for it in a setting of the transaction.
     *
     * <p>A row without a holder keeps its number of deaths: who gave it back had begun nothing.
     *
     * <p>Due is decided on the locked row, so a slot counted a moment ago by another is seen. Both statements tell the slot
     * by the beginning of their own, short transaction, so that they mean the same one.
     */
    static final String ACQUIRE_SLOTS = "with\n" + ASKED + """
            ,
            due as (
              select l.name,
                     asked.number,
                     asked.holder,
                     asked.stamp,
                     asked.slot,
                     l.expires_at = 'epoch' or pg_try_advisory_xact_lock(hashtextextended(l.name, l.tableoid::bigint)) as is_nobodys
                from asked
                join leases l on l.name = asked.name
               where (l.expires_at < statement_timestamp()
                      or (l.holder = '-' and (asked.stamp = 'never' or l.taken_at > clock_timestamp())))
                 and not exists (select
                                   from leases p
                                  where p.name in (l.name, split_part(l.name, '@', 1))
                                    and p.pause_reason is not null)
                 and l.pause_reason is null
                 and (asked.stamp = 'never'
                      or (isfinite(asked.slot)
                          and asked.next_slot is not null
                          and (l.done_slot is null
                               or l.done_slot < asked.slot - asked.tolerance
                               or l.done_slot > asked.latest)))
                 for no key update of l skip locked
            )
            update leases
               set holder = due.holder,
                   taken_at = statement_timestamp(),
                   expires_at = statement_timestamp() + :ttl_micros * interval '1 microsecond',
                   fence = greatest(fence + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint),
                   done_slot = case when due.stamp = 'at acquire' then due.slot else done_slot end,
                   deaths = case when leases.holder = '-' then deaths when expires_at > 'epoch' then deaths + 1 else 0 end
              from due
             where leases.name = due.name
               and due.is_nobodys
               and set_config('leasehold.before_' || due.number,
                              concat_ws(' ',
                                        fence,
                                        (extract(epoch from least(greatest(taken_at, 'epoch'), now())) * 1000000)::bigint,
                                        coalesce(case when done_slot between '0001-01-01' and '9999-12-31'
                                                      then (extract(epoch from done_slot) * 1000000)::bigint
                                                 end::text,
                                                 '-'),
                                        leases.holder),
                              true) is not null
               and (current_setting('synchronous_commit') <> 'off'
                    or set_config('synchronous_commit', 'on', true) is not null)
            """;

    /**
     * As {@link #LOOK_MANY}, with the slots that were asked for, by their numbers from 1. Free, due and not paused, yet not
     * acquired, is a race. A window that does not reach to the database's time, or not beyond it, does not tell the slot.
     */
    static final String LOOK_AT_SLOTS = "with\n" + ASKED + """
            select asked.number,
                   l.holder,
                   l.fence,
                   l.deaths,
                   case when isfinite(l.expires_at)
                        then (extract(epoch from l.expires_at - statement_timestamp()) * 1000000)::bigint
                   end as left_micros,
                   (select p.pause_reason
                      from leases p
                     where p.name in (l.name, split_part(l.name, '@', 1))
                       and p.pause_reason is not null
                     limit 1) as pause_reason,
                   asked.stamp = 'never'
                     or (isfinite(asked.slot)
                         and asked.next_slot is not null
                         and (l.done_slot is null
                              or l.done_slot < asked.slot - asked.tolerance
                              or l.done_slot > asked.latest)) as is_due,
                   asked.slot is not null and asked.next_slot is not null as is_told,
                   case
                     when asked.stamp = 'never' then now()
                     when isfinite(asked.slot) then asked.slot
                   end as slot,
                   case when isfinite(asked.next_slot)
                        then (extract(epoch from asked.next_slot - now()) * 1000000)::bigint
                   end as next_slot_micros,
                   now() as asked_at,
                   case when l.holder = asked.holder
                        then current_setting('leasehold.before_' || asked.number, true)
                   end as before
              from asked
              join leases l on l.name = asked.name
            """;

    /**
     * Makes the row of a name that is asked for a slot and has none: free, and due for a grid; a schedule of instants waits for
     * its next one. Sent before {@link #ACQUIRE_SLOTS}, as {@link #ACQUIRE_FIRST}, and waits as that does.
     */
    static final String FIRST_SLOT = """
            insert into leases (name, holder, taken_at, expires_at, fence, done_slot)
            select :name,
                   '-',
                   statement_timestamp(),
                   'epoch',
                   (extract(epoch from clock_timestamp()) * 1000000)::bigint,
                   case when :window <> '' then now() end
             where not exists (select from leases where name = :name)
               and set_config('lock_timeout', :lock_timeout, true) is not null
               and (current_setting('synchronous_commit') <> 'off'
                    or set_config('synchronous_commit', 'on', true) is not null)
            on conflict (name) do nothing
            """;

    /**
     * A row that others have made, and that never counted a slot, waits for the next instant too. Sent between the two, when a
     * process asks for the first time.
     */
    static final String FIRST_INSTANT = """
            update leases
               set done_slot = statement_timestamp()
             where name = (select name
                             from leases
                            where name = :name
                              and done_slot is null
                              and :window <> ''
                              for no key update skip locked)
            """;

    /**
     * Renews all leases of a process, each for its own ttl, and returns the numbers, from 1, of those that were renewed. Matches
     * by name, holder and fence, so that nobody revives another's lease or an older one of its own. A row that another has locked
     * is skipped. The rows are updated by their place; one that was changed after the statement had begun is missed, and is found
     * by the look that follows. The clock is read with the row locked, so that a statement that was held up on its way cannot
     * shorten what a later one has renewed.
     *
     * <p>A limit says how long after its acquisition a lease ends though its holder lives; -1 for none. A renewal never takes away
     * what the row has been given, for an older one, with an older limit, may land after an {@link #EXTEND}.
     */
    static final String RENEW = """
            with
            mine as (
              select l.ctid as place, m.number, m.ttl_micros, m.limit_micros
                from unnest(:names::text[], :holders::text[], :fences::bigint[], :ttls_micros::bigint[], :limits_micros::bigint[])
                       with ordinality as m (name, holder, fence, ttl_micros, limit_micros, number)
                join leases l on l.name = m.name
               where l.holder = m.holder
                 and l.fence = m.fence
                 and l.expires_at > 'epoch'
                 for no key update of l skip locked
            )
            update leases
               set expires_at = least(clock_timestamp() + mine.ttl_micros * interval '1 microsecond',
                                      case when mine.limit_micros >= 0
                                           then greatest(expires_at, taken_at + mine.limit_micros * interval '1 microsecond')
                                      end)
              from mine
             where leases.ctid = mine.place
               and (current_setting('synchronous_commit') <> 'off'
                    or set_config('synchronous_commit', 'on', true) is not null)
            returning mine.number
            """;

    /**
     * Renews one lease in danger, with a limit as in {@link #RENEW}. Waits for the row lock, no longer than lock_timeout, and so
     * stands in line before those who would take the lease over: whoever takes over a row that was not released must have the
     * advisory lock of the name, which this statement holds while it waits. Without it a taker could get ahead, between the end of
     * the foreign lock and the moment in which the waiting statement wakes up. The clock is read once the row is locked: an update
     * by itself would read it before it waits.
     */
    static final String RENEW_WAITING = """
            with
            mine as (
              select name
                from leases
               where name = :name
                 and holder = :holder
                 and fence = :fence
                 and expires_at > 'epoch'
                 and case
                       when set_config('lock_timeout', :lock_timeout, true) is not null
                       then pg_advisory_xact_lock(hashtextextended(name, tableoid::bigint)) is not null
                     end
                 for no key update
            )
            update leases
               set expires_at = least(clock_timestamp() + :ttl_micros * interval '1 microsecond',
                                      case when :limit_micros >= 0
                                           then greatest(expires_at, taken_at + :limit_micros * interval '1 microsecond')
                                      end)
              from mine
             where leases.name = mine.name
               and (current_setting('synchronous_commit') <> 'off'
                    or set_config('synchronous_commit', 'on', true) is not null)
            returning leases.name
            """;

    /**
     * Gives a lease another limit, from now on, and returns that as a time since its acquisition. Not a lease whose limit has
     * passed, even if nobody has taken it over: others were promised that it ends. Waits for the row lock, no longer than
     * lock_timeout. The clock is read with the row locked.
     */
    static final String EXTEND = """
            with
            mine as (
              select name
                from leases
               where name = :name
                 and holder = :holder
                 and fence = :fence
                 and expires_at > 'epoch'
                 and set_config('lock_timeout', :lock_timeout, true) is not null
                 for no key update
            ),
            clock as (
              select name, clock_timestamp() as now
                from mine
            )
            update leases
               set expires_at = clock.now + least(:ttl_micros, :limit_micros) * interval '1 microsecond'
              from clock
             where leases.name = clock.name
               and taken_at + :old_limit_micros * interval '1 microsecond' > clock.now
               and (current_setting('synchronous_commit') <> 'off'
                    or set_config('synchronous_commit', 'on', true) is not null)
            returning (extract(epoch from clock.now - taken_at) * 1000000)::bigint + :limit_micros as limit_micros
            """;

    /** Finds what stands in place of the leases that a renewal or a release missed. One that rests was released. */
    static final String FIND = """
            select m.name,
                   m.holder,
                   m.fence,
                   l.holder in (m.holder, '-') and l.fence = m.fence as ours,
                   l.expires_at = 'epoch' or l.holder = '-' as released
              from unnest(:names::text[], :holders::text[], :fences::bigint[]) as m (name, holder, fence)
              join leases l on l.name = m.name
            """;

    /** Releases a lease without a stamp. Need not wait for the disk: lost in a crash, the lease only runs out. */
    static final String RELEASE = """
            update leases
               set expires_at = 'epoch'
             where name = (select name
                             from leases
                            where name = :name
                              and holder = :holder
                              and fence = :fence
                              and expires_at > 'epoch'
                              for no key update skip locked)
               and set_config('synchronous_commit', 'off', true) is not null
            returning name, holder, fence
            """;

    /** As {@link #MANY_SLOTS}, for those that are counted. */
    static final String MANY_DONE = """
            unnest(:names::text[], :holders::text[], :fences::bigint[], :are_begun::boolean[], :slots::text[])""";

    /** As {@link #ONE_SLOT}. */
    static final String ONE_DONE = """
            (values (:name::text, :holder::text, :fence::bigint, :is_begun::boolean, :slot::text))""";

    /**
     * Releases leases and sets the last counted slots of their rows: to the slots that are counted now, or back to what they
     * were before the acquire stamped them, which may be nothing. Durable before it is believed. What was not begun is as in
     * {@link #RELEASE_UNCOUNTED}.
     */
    static final String RELEASE_DONE = """
            with
            mine as (
              select l.name, m.holder, m.is_begun, m.slot
                from unnest(:names::text[], :holders::text[], :fences::bigint[], :are_begun::boolean[], :slots::text[])
                       as m (name, holder, fence, is_begun, slot)
                join leases l on l.name = m.name
               where l.holder = m.holder
                 and l.fence = m.fence
                 and l.expires_at > 'epoch'
                 for no key update of l skip locked
            )
            update leases
               set expires_at = 'epoch',
                   holder = case when mine.is_begun or deaths = 0 then leases.holder else '-' end,
                   done_slot = nullif(mine.slot, '')::timestamptz
              from mine
             where leases.name = mine.name
               and (current_setting('synchronous_commit') <> 'off'
                    or set_config('synchronous_commit', 'on', true) is not null)
            returning leases.name, mine.holder, leases.fence
            """;

    /** As {@link #MANY_SLOTS}, for those that are released without a stamp. */
    static final String MANY_UNCOUNTED = """
            unnest(:names::text[], :holders::text[], :fences::bigint[], :are_begun::boolean[])""";

    /** As {@link #ONE_SLOT}. */
    static final String ONE_UNCOUNTED = """
            (values (:name::text, :holder::text, :fence::bigint, :is_begun::boolean))""";

    /**
     * Releases leases that were acquired for slots, without a stamp. Durable before it is believed all the same: lost in a crash,
     * the round would wait for the lease to run out, and then tell of a death that was none.
     *
     * <p>Where nothing was begun, the deaths before are not over: a row without a holder keeps their number.
     */
    static final String RELEASE_UNCOUNTED = """
            with
            mine as (
              select l.name, m.holder, m.is_begun
                from unnest(:names::text[], :holders::text[], :fences::bigint[], :are_begun::boolean[])
                       as m (name, holder, fence, is_begun)
                join leases l on l.name = m.name
               where l.holder = m.holder
                 and l.fence = m.fence
                 and l.expires_at > 'epoch'
                 for no key update of l skip locked
            )
            update leases
               set expires_at = 'epoch',
                   holder = case when mine.is_begun or deaths = 0 then leases.holder else '-' end
              from mine
             where leases.name = mine.name
               and (current_setting('synchronous_commit') <> 'off'
                    or set_config('synchronous_commit', 'on', true) is not null)
            returning leases.name, mine.holder, leases.fence
            """;

    /** As {@link #RELEASE}, for many leases at once. */
    static final String RELEASE_MANY = """
            with
            mine as (
              select l.name
                from unnest(:names::text[], :holders::text[], :fences::bigint[]) as m (name, holder, fence)
                join leases l on l.name = m.name
               where l.holder = m.holder
                 and l.fence = m.fence
                 and l.expires_at > 'epoch'
                 for no key update of l skip locked
            )
            update leases
               set expires_at = 'epoch'
              from mine
             where leases.name = mine.name
               and set_config('synchronous_commit', 'off', true) is not null
            returning leases.name, leases.holder, leases.fence
            """;

    /**
     * Ends a lease that nobody may acquire for a while yet, without a stamp. Nobody holds it, and it does not count as a death;
     * those before it are over. Durable before it is believed, as {@link #RELEASE_UNCOUNTED}.
     */
    static final String RELEASE_TO_REST = """
            update leases
               set holder = '-',
                   expires_at = statement_timestamp() + :rest_micros * interval '1 microsecond',
                   deaths = 0
             where name = (select name
                             from leases
                            where name = :name
                              and holder = :holder
                              and fence = :fence
                              and expires_at > 'epoch'
                              for no key update skip locked)
               and (current_setting('synchronous_commit') <> 'off'
                    or set_config('synchronous_commit', 'on', true) is not null)
            returning name
            """;

    /**
     * Releases what an attempt of unknown outcome may have acquired: its holder is known, its fence is not. Nothing was begun:
     * see {@link #RELEASE_UNCOUNTED}.
     */
    static final String RELEASE_ATTEMPT = """
            update leases
               set expires_at = 'epoch',
                   holder = case when deaths = 0 then holder else '-' end
             where name = (select name
                             from leases
                            where name = :name
                              and holder = :holder
                              and expires_at > 'epoch'
                              for no key update skip locked)
               and set_config('synchronous_commit', 'off', true) is not null
            returning name
            """;

    /**
     * Begins a fenced transaction of the library's own: marks it, and has the server end it when it has been idle for a
     * whole ttl, so that a frozen process cannot block a takeover for ever.
     */
    static final String FENCED_BEGIN = """
            select set_config('leasehold.fenced_for', :holder, true),
                   set_config('idle_in_transaction_session_timeout',
                              case
                                when current_setting('idle_in_transaction_session_timeout')::interval = interval '0'
                                  or current_setting('idle_in_transaction_session_timeout')::interval > :ttl::interval
                                then :ttl
                                else current_setting('idle_in_transaction_session_timeout')
                              end,
                              true)
            """;

    /**
     * The last look at a fenced transaction of the library's own, before its fence: whether it is still the one that was
     * begun, and whether it has finished the lease. From here on it has a ttl to end, where the server knows
     * transaction_timeout (17 and later); a time-out that already runs is set anew only after it was taken away.
     */
    static final String FENCED_END = """
            select current_setting('leasehold.fenced_for', true) is not distinct from :holder as is_same,
                   current_setting('leasehold.finished_for', true) is not distinct from :holder as is_finished,
                   case
                     when current_setting('transaction_timeout', true)::interval = interval '0'
                       or current_setting('transaction_timeout', true)::interval > :ttl::interval
                     then set_config('transaction_timeout', '0', true) || set_config('transaction_timeout', :ttl, true)
                   end
            """;

    /** Bounds the waits for locks that follow in the transaction, unless they are bounded more tightly. */
    static final String BOUND_LOCK_WAIT = """
            select set_config('leasehold.lock_timeout', current_setting('lock_timeout'), true),
                   set_config('lock_timeout',
                              case
                                when current_setting('lock_timeout')::interval = interval '0'
                                  or current_setting('lock_timeout')::interval > :lock_timeout::interval
                                then :lock_timeout
                                else current_setting('lock_timeout')
                              end,
                              true)
            """;

    /** Puts back what {@link #BOUND_LOCK_WAIT} has changed. */
    static final String UNBOUND_LOCK_WAIT = """
            select set_config('lock_timeout', current_setting('leasehold.lock_timeout'), true)
            """;

    /**
     * Fences the caller's transaction: while it is open nobody takes the lease over. Waits for the row lock, no longer than
     * {@link #BOUND_LOCK_WAIT} says. No weaker lock will do: a plain update of another client slips past a key share. A
     * transaction that has finished the lease is fenced by that, until it ends.
     */
    static final String FENCE = """
            select name
              from leases
             where name = :name
               and holder = :holder
               and fence = :fence
               and (expires_at > 'epoch' or current_setting('leasehold.finished_for', true) = :holder)
               for share
            """;

    /**
     * Releases the lease inside the caller's transaction, and stamps its slot as counted if one is given. Waits like {@link
     * #FENCE}. Leaves a mark in the transaction, which a rollback takes away with the rest, to a savepoint too. From here on the
     * commit of the transaction is durable before it is believed.
     */
    static final String FINISH = """
            update leases
               set expires_at = 'epoch',
                   done_slot = coalesce(nullif(:slot, '')::timestamptz, done_slot)
             where name = :name
               and holder = :holder
               and fence = :fence
               and expires_at > 'epoch'
               and (current_setting('synchronous_commit') <> 'off'
                    or set_config('synchronous_commit', 'on', true) is not null)
            returning name, set_config('leasehold.finished_for', :holder, true)
            """;

    /**
     * Makes a round's slot due again that was counted, on all its nodes if it is the round's name alone; a rest ends. Not where
     * it is held at this moment, or locked: to be repeated, but for those that were made due already, which may have run since.
     * Counted before all time is not the same as never counted: a schedule of instants
     * does not wait for its next one, and the row is not cleaned up.
     */
    static final String MAKE_DUE = """
            with
            idle as (
              select name
                from leases
               where (name = :name or (starts_with(name, :name || '@') and done_slot is not null))
                 and (expires_at < statement_timestamp() or holder = '-')
                 and name <> all(:made_due::text[])
                 for no key update skip locked
            )
            update leases
               set done_slot = '-infinity',
                   expires_at = case when leases.holder = '-' then 'epoch' else expires_at end
              from idle
             where leases.name = idle.name
               and (current_setting('synchronous_commit') <> 'off'
                    or set_config('synchronous_commit', 'on', true) is not null)
            returning leases.name
            """;

    /** What {@link #MAKE_DUE} has passed over because it is locked: not held, and not made due. */
    static final String IDLE_AND_NOT_MADE_DUE = """
            select name
              from leases
             where (name = :name or (starts_with(name, :name || '@') and done_slot is not null))
               and (expires_at < statement_timestamp() or holder = '-')
               and name <> all(:made_due::text[])
            """;

    /**
     * Pauses a round that has no row yet, and answers whether one of its nodes has. Waits for another's insert of the same name,
     * no longer than lock_timeout.
     */
    static final String PAUSE_FIRST = """
            insert into leases (name, holder, expires_at, pause_reason)
            select :name,
                   '-',
                   'epoch',
                   :reason
             where not exists (select from leases where name = :name)
               and set_config('lock_timeout', :lock_timeout, true) is not null
               and (current_setting('synchronous_commit') <> 'off'
                    or set_config('synchronous_commit', 'on', true) is not null)
            on conflict (name) do nothing
            returning exists (select from leases as n where starts_with(n.name, :name || '@')) as has_nodes
            """;

    /** Whether a name has a row. */
    static final String HAS_ROW = """
            select name
              from leases
             where name = :name
            """;

    /** Pauses a round, or resumes it with an empty reason. A locked row is skipped: to be repeated. */
    static final String PAUSE = """
            with
            round as (
              select name,
                     pause_reason
                from leases
               where name = :name
                 for no key update skip locked
            )
            update leases
               set pause_reason = nullif(:reason, '')
              from round
             where leases.name = round.name
               and (current_setting('synchronous_commit') <> 'off'
                    or set_config('synchronous_commit', 'on', true) is not null)
            returning round.pause_reason is not null as was_paused
            """;

    /** Whom a forced release would end: the holder of a row that is not released, also if it has run out meanwhile. */
    static final String UNRELEASED = """
            select holder,
                   fence
              from leases
             where name = :name
               and expires_at > 'epoch'
               and holder <> '-'
            """;

    /**
     * Ends another's lease, without a stamp. A locked row is skipped: to be repeated. Durable before it is believed: lost in a
     * crash, the lease would not run out, for its holder goes on renewing it.
     */
    static final String RELEASE_BY_FORCE = """
            update leases
               set expires_at = 'epoch'
             where name = (select name
                             from leases
                            where name = :name
                              and holder = :holder
                              and fence = :fence
                              and expires_at > 'epoch'
                              for no key update skip locked)
               and (current_setting('synchronous_commit') <> 'off'
                    or set_config('synchronous_commit', 'on', true) is not null)
            returning name
            """;

    /**
     * Deletes rows that nobody has used for a while, :most of them at most: released ones that were last acquired before
     * that time, and expired or rested ones that ended before. Never one that is held, locked, paused, or counts the
     * slots of a round.
     *
     * <p>The fence of a name that comes back is taken from the clock, so a row whose fence is not older than that time stays:
     * the next one has to be larger, also when the clock has been set back a little. Decided on the locked row. Need not
     * wait for the disk: lost in a crash, the row is only deleted later.
     */
    static final String DELETE_UNUSED = """
            with
            clock as (
              select statement_timestamp() - :unused_micros * interval '1 microsecond' as before
            ),
            unused as (
              select l.name
                from leases l, clock
               where l.done_slot is null
                 and l.pause_reason is null
                 and l.expires_at < clock.before
                 and (l.expires_at > 'epoch' or l.taken_at < clock.before)
                 and l.fence < (extract(epoch from clock.before) * 1000000)::bigint
               limit :most
                 for update of l skip locked
            ),
            deleted as (
              delete from leases
               using unused
               where leases.name = unused.name
                 and set_config('synchronous_commit', 'off', true) is not null
              returning leases.name
            )
            select count(*) as deleted
              from deleted
            """;

    /** Every lease, for people: by name. */
    static final String ROWS = """
            select name,
                   holder,
                   taken_at,
                   expires_at,
                   fence,
                   nullif(done_slot, '-infinity') as done_slot,
                   done_slot is not distinct from '-infinity' as made_due,
                   deaths,
                   pause_reason,
                   expires_at >= statement_timestamp() and holder <> '-' as held,
                   case when isfinite(expires_at)
                        then (extract(epoch from expires_at - statement_timestamp()) * 1000000)::bigint
                   end as left_micros
              from leases
             order by name
            """;
}
