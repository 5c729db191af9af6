package dev.leasehold.doctor;

import java.util.regex.Pattern;

/**
 * Every statement of the doctor. They read only, take no lock that others could wait for, and run as any role: what that may
 * not see comes back as null.
 */
final class DoctorSql {

    private static final Pattern SHOWN = Pattern.compile("\\bshown\\(((?:[^()]|\\(\\))*)\\)");

    /** As for a query of {@link #SESSIONS}. */
    private static final String ESCAPED =
            "replace(regexp_replace(encode(decode(quote_literal(($1)::text), 'escape'), 'escape'),"
                    + " '^E?''(.*)''\\$', '\\\\1'), '''''', '''')";

    private DoctorSql() {}

    /**
     * A statement to be sent. What is {@code shown(...)} in it is a name that others chose: of a role, a database, a lease. Its
     * bytes may be no text in the database's encoding, or have no equivalent in the client's, and the server refuses the whole
     * answer then.
     *
     * @param areEscaped whether such names come byte by byte, in digits where they are not ASCII
     */
    static String withNames(boolean areEscaped, String sql) {
        return SHOWN.matcher(sql).replaceAll(areEscaped ? ESCAPED : "$1");
    }

    /** Nothing that is asked here may hang, or hang others. */
    static final String BOUNDS = """
            set transaction read only;
            set local statement_timeout = '5s';
            set local lock_timeout = '100ms';
            set local idle_in_transaction_session_timeout = '10s'
            """;

    static final String SERVER = """
            select current_setting('server_version') as version,
                   current_setting('server_version_num')::int / 10000 as major,
                   shown(current_database()) as database,
                   shown(current_user) as role,
                   clock_timestamp() as now
            """;

    /**
     * Of all backends, also of those that are no clients. Where their kind is hidden, it is told by what is not: processes of the
     * server, such as an autovacuum worker, have no user, and walsenders and apply workers stand in views of their own. A parallel
     * worker of another role cannot be told from a client. Text of a database of another encoding could be refused by the server
     * or the driver, so that it comes with its other characters escaped: byte by byte, by functions that look at no encoding (those
     * that convert refuse what has no equivalent), within the quotes of a literal, which are taken off.
     */
    static final String SESSIONS = """
            select a.pid,
                   a.pid = pg_backend_pid() as is_own,
                   coalesce(a.backend_type,
                            case
                              when a.usesysid is null then 'server process'
                              when exists (select from pg_stat_replication r where r.pid = a.pid) then 'walsender'
                              when exists (select from pg_stat_subscription s where s.pid = a.pid)
                                then 'logical replication worker'
                            end,
                            '') as kind,
                   coalesce(shown(a.datname), '') as database,
                   coalesce(shown(a.usename), '') as role,
                   coalesce(a.application_name, '') as application,
                   host(a.client_addr) as client,
                   a.client_port as port,
                   extract(epoch from clock_timestamp() - a.backend_start) as connected_seconds,
                   a.state,
                   extract(epoch from clock_timestamp() - a.xact_start) as open_seconds,
                   extract(epoch from clock_timestamp() - a.state_change) as state_seconds,
                   greatest(age(a.backend_xid), age(a.backend_xmin)) as behind,
                   case when there.encoding = here.encoding and pg_encoding_to_char(here.encoding) <> 'SQL_ASCII'
                        then left(a.query, 500)
                        else left(replace(regexp_replace(encode(decode(quote_literal(a.query), 'escape'), 'escape'),
                                                         '^E?''(.*)''$', '\\1'),
                                          '''''', ''''), 500)
                   end as query
              from pg_stat_activity a
              join pg_database here on here.datname = current_database()
              left join pg_database there on there.oid = a.datid
             order by a.pid
            """;

    /** Whoever is in a transaction holds the lock of its own virtual id, whatever is hidden of its state. */
    static final String ADVISORY_LOCKS = """
            with locks as materialized (
                     select pid, database, locktype, classid, objid, objsubid, mode
                       from pg_locks
                      where granted
                        and pid <> pg_backend_pid()
                 )
            select l.pid,
                   d.datname = current_database() as is_here,
                   l.classid::bigint as classid,
                   l.objid::bigint as objid,
                   l.objsubid,
                   l.mode = 'ShareLock' as is_shared,
                   exists (select from locks v where v.pid = l.pid and v.locktype = 'virtualxid') as is_in_transaction
              from locks l
              left join pg_database d on d.oid = l.database
             where l.locktype = 'advisory'
             order by l.pid, l.objsubid, l.classid, l.objid
            """;

    static final String NAMES = """
            select n.name,
                   hashtext(n.name)::bigint as short_hash,
                   hashtextextended(n.name, 0) as long_hash,
                   null::bigint as own_hash
              from unnest(?::text[]) as n (name)
            """;

    /** Whether {@link #leaseNames} can be asked; the parameters are table, and twice the schema, empty for none. */
    static final String CAN_READ_NAMES = """
            select c.oid
              from pg_class c
              join pg_namespace n on n.oid = c.relnamespace
              join pg_attribute a on a.attrelid = c.oid
             where c.relname = ?
               and (n.nspname = ? or ? = '' and pg_table_is_visible(c.oid))
               and c.relkind in ('r', 'p')
               and a.attname = 'name'
               and a.atttypid = 'text'::regtype
               and not a.attisdropped
               and has_schema_privilege(n.oid, 'usage')
               and has_table_privilege(c.oid, 'select')
            """;

    static String leaseNames(String table) {
        return """
                select shown(n.name) as name,
                       hashtext(n.name)::bigint as short_hash,
                       hashtextextended(n.name, 0) as long_hash,
                       hashtextextended(n.name, n.tableoid::bigint) as own_hash
                  from (select name, tableoid from %s where name is not null limit 10000) n
                """.formatted(table);
    }

    /** A process id of 0 among the blockers is a prepared transaction. */
    static final String WAITS = """
            select l.pid,
                   pg_blocking_pids(l.pid) as blockers,
                   extract(epoch from clock_timestamp() - coalesce(l.waitstart, clock_timestamp())) as wait_seconds,
                   l.locktype,
                   l.mode,
                   coalesce(c.oid::regclass::text, '') as relation,
                   d.datname = current_database() as is_here,
                   l.classid::bigint as classid,
                   l.objid::bigint as objid,
                   l.objsubid
              from pg_locks l
              left join pg_database d on d.oid = l.database
              left join pg_class c on c.oid = l.relation and (d.datname = current_database() or l.database = 0)
             where not l.granted
               and l.pid is not null
             order by l.pid
            """;

    static final String PREPARED = """
            select shown(gid) as gid,
                   coalesce(shown(database), '') as database,
                   shown(owner) as role,
                   extract(epoch from clock_timestamp() - prepared) as open_seconds,
                   age(transaction) as behind
              from pg_prepared_xacts
             order by prepared
            """;

    /** Besides sessions and prepared transactions. What a standby holds back by a slot is told by the slot. */
    static final String REPLICATION_XMIN = """
            select 'replication slot ' || slot_name || case when active then '' else ' (inactive)' end as holder,
                   case when not active then slot_name end as unused_slot,
                   coalesce(shown(database), '') as database,
                   greatest(age(xmin), age(catalog_xmin)) as behind
              from pg_replication_slots
             where xmin is not null
                or catalog_xmin is not null
             union all
            select 'feedback of standby ' || application_name as holder,
                   null as unused_slot,
                   '' as database,
                   age(backend_xmin) as behind
              from pg_stat_replication
             where backend_xmin is not null
            """;

    static final String CONNECTION_LIMITS = """
            select current_setting('max_connections')::int as max_connections,
                   current_setting('superuser_reserved_connections')::int as superuser_reserved,
                   coalesce(current_setting('reserved_connections', true), '0')::int as reserved
            """;

    /** A superuser is not bound by either. A limit of 0 closes a database on purpose. */
    static final String OWN_LIMITS = """
            select true as is_role,
                   shown(rolname) as name,
                   rolconnlimit as most
              from pg_roles
             where rolconnlimit > 0
               and not rolsuper
             union all
            select false as is_role,
                   shown(datname) as name,
                   datconnlimit as most
              from pg_database
             where datconnlimit > 0
             order by is_role, name
            """;

    /** A superuser's own limit does not bind it; -1 is none. What is hidden is a client or not as in {@link #SESSIONS}. */
    static final String ROLE_IN_DATABASE = """
            with connected as (
                     select datname,
                            usename
                       from pg_stat_activity a
                      where pid <> pg_backend_pid()
                        and (backend_type = 'client backend'
                             or (backend_type is null
                                 and datid is not null
                                 and usesysid is not null
                                 and not exists (select from pg_stat_replication r where r.pid = a.pid)
                                 and not exists (select from pg_stat_subscription s where s.pid = a.pid)))
                 )
            select shown(d.datname) as database,
                   d.datconnlimit as database_limit,
                   shown(r.rolname) as role,
                   case when r.rolsuper then -1 else r.rolconnlimit end as role_limit,
                   (select count(*) from connected) as connected,
                   (select count(*) from connected c where c.datname = d.datname) as connected_to_database,
                   (select count(*) from connected c where c.usename = r.rolname) as connected_as_role
              from pg_database d
              join pg_roles r on r.rolname = ?
             where d.datname = current_database()
            """;

    /** The settings that are judged, of this session. Asked before {@link #BOUNDS} sets two of them. */
    static final String SETTINGS = """
            select name,
                   current_setting(name) as value,
                   source,
                   shown(session_user) as role,
                   shown(current_database()) as database
              from pg_settings
             where name in ('autovacuum', 'default_transaction_isolation', 'default_transaction_read_only', 'fsync',
                            'idle_in_transaction_session_timeout', 'idle_session_timeout', 'lock_timeout',
                            'statement_timeout', 'synchronous_commit', 'synchronous_standby_names', 'tcp_keepalives_count',
                            'tcp_keepalives_idle', 'tcp_keepalives_interval', 'track_activities', 'track_counts',
                            'transaction_timeout')
             order by name
            """;

    /** What sessions of a role or in a database begin with, this one's among them. Of a role that cannot log in there are none. */
    static final String SETTINGS_OF_ROLES = """
            select lower(split_part(entry, '=', 1)) as name,
                   substr(entry, strpos(entry, '=') + 1) as value,
                   case
                     when s.setrole = 0 and s.setdatabase = 0 then 'global'
                     when s.setrole = 0 then 'database'
                     when s.setdatabase = 0 then 'user'
                     else 'database user'
                   end as source,
                   coalesce(shown(r.rolname), '') as role,
                   coalesce(shown(d.datname), '') as database,
                   exists (select
                             from pg_stat_activity a
                            where a.pid <> pg_backend_pid()
                              and (s.setrole = 0 or a.usesysid = s.setrole)
                              and (s.setdatabase = 0 or a.datid = s.setdatabase)
                              and a.usesysid is not null) as is_in_use,
                   (s.setrole = 0 or r.rolname = session_user)
                     and (s.setdatabase = 0 or d.datname = current_database()) as is_mine
              from pg_db_role_setting s
              cross join unnest(s.setconfig) as entry
              left join pg_roles r on r.oid = s.setrole
              left join pg_database d on d.oid = s.setdatabase
             where (s.setrole = 0 or r.rolcanlogin)
             order by role, database, name
            """;

    /** Which process serves this, on which port; and whether a pooler keeps prepared statements apart, as PgBouncer names them. */
    static final String BACKEND = """
            select pg_backend_pid() as pid,
                   coalesce(inet_server_port(), 0) as port,
                   exists (select from pg_prepared_statements where starts_with(name, 'PGBOUNCER_')) as keeps_statements
            """;

    /**
     * Sessions that hold advisory locks and have no transaction: this one, which takes none itself, and idle ones from the same
     * address, role and database.
     */
    static final String LOCKS_LEFT_BY_POOLED_CLIENTS = """
            select a.pid,
                   a.pid = me.pid as is_mine,
                   a.application_name as application,
                   (extract(epoch from clock_timestamp() - a.state_change) * 1000)::bigint as idle_millis,
                   (select count(*)
                      from pg_locks l
                     where l.pid = a.pid
                       and l.locktype = 'advisory'
                       and l.granted) as locks
              from pg_stat_activity a
              join pg_stat_activity me on me.pid = pg_backend_pid()
             where (a.pid = me.pid
                    or (a.state = 'idle'
                        and a.client_addr is not distinct from me.client_addr
                        and a.usesysid = me.usesysid
                        and a.datid = me.datid))
               and exists (select
                             from pg_locks l
                            where l.pid = a.pid
                              and l.locktype = 'advisory'
                              and l.granted)
             order by is_mine desc, a.pid
            """;

    /** Whether the server is a standby, and whose. An ordinary role does not see the latter. */
    static final String RECOVERY = """
            select pg_is_in_recovery() as is_standby,
                   (select r.sender_host || ':' || r.sender_port from pg_stat_wal_receiver r limit 1) as primary,
                   (extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000)::bigint as behind_millis
            """;

    /** Who receives the write-ahead log as a whole: no logical subscribers and no backups. */
    static final String STANDBYS = """
            select r.application_name as name,
                   host(r.client_addr) as address,
                   r.state,
                   r.sync_state as sync,
                   (extract(epoch from r.replay_lag) * 1000)::bigint as lag_millis
              from pg_stat_replication r
             where r.state is distinct from 'backup'
               and not exists (select
                                 from pg_replication_slots s
                                where s.active_pid = r.pid
                                  and s.slot_type = 'logical')
             order by name, address
            """;

    /** Commits that wait for a synchronous standby. */
    static final String COMMITS_THAT_WAIT = """
            select count(*) as sessions,
                   coalesce((extract(epoch from max(clock_timestamp() - query_start)) * 1000)::bigint, 0) as longest_millis
              from pg_stat_activity
             where wait_event_type = 'IPC'
               and wait_event = 'SyncRep'
            """;

    /**
     * The relation of that name, by the search path if no schema is given, with its columns: a row each, or one without. Looks
     * into the catalog only: {@code to_regclass} fails where the role may not use the schema.
     */
    static final String RELATION = """
            with
            found as (
              select c.oid,
                     c.relkind,
                     format('%I.%I', n.nspname, c.relname) as relation,
                     format('%I', n.nspname) as schema,
                     has_schema_privilege(n.oid, 'usage') as has_usage
                from unnest(case when ?::text = '' then current_schemas(true)::text[] else array[?::text] end)
                       with ordinality as path (schema, place)
                join pg_namespace n on n.nspname = path.schema
                join pg_class c on c.relnamespace = n.oid and c.relname = ?::text and c.relkind in ('r', 'p', 'v', 'm', 'f')
               order by path.place
               limit 1
            )
            select found.oid::bigint as oid,
                   found.relkind in ('r', 'p') as is_table,
                   found.relation,
                   found.schema,
                   found.has_usage,
                   a.attname as column,
                   format_type(a.atttypid, null) as type,
                   has_column_privilege(found.oid, a.attnum, 'select') as is_readable
              from found
              left join pg_attribute a on a.attrelid = found.oid and a.attnum > 0 and not a.attisdropped
            """;

    /** Tables of that name with the columns of a lease table, in schemas that the search path does not reach. */
    static final String LEASE_TABLES_ELSEWHERE = """
            select format('%I.%I', n.nspname, c.relname) as relation,
                   format('%I', n.nspname) as schema,
                   n.nspname || '.' || c.relname as name,
                   has_schema_privilege(n.oid, 'usage') as has_usage
              from pg_class c
              join pg_namespace n on n.oid = c.relnamespace
             where c.relname = ?
               and c.relkind in ('r', 'p')
               and (select count(*)
                      from pg_attribute a
                     where a.attrelid = c.oid
                       and not a.attisdropped
                       and a.attname in ('name', 'holder', 'taken_at', 'expires_at')) = 4
             order by relation
            """;

    /** How many rows are in which state. {@code :table} is filled in with a name that the catalog has told. */
    static final String LEASE_COUNTS = """
            select count(*) as rows,
                   count(*) filter (where holder::text <> '-' and expires_at >= statement_timestamp()) as held,
                   count(*) filter (where holder::text = '-' and expires_at >= statement_timestamp()) as resting,
                   count(*) filter (where holder::text <> '-'
                                      and expires_at > 'epoch'
                                      and expires_at < statement_timestamp()) as expired
              from :table
            """;

    /**
     * The leases that something may have to be said of, the longest held first. A column that an older table does not have is
     * filled in as null. A time that is infinite, or not there, is null.
     */
    static final String LEASES = """
            select shown(name::text) as name,
                   shown(holder::text) as holder,
                   :fence as fence,
                   case when isfinite(taken_at)
                        then (extract(epoch from statement_timestamp() - taken_at) * 1000)::bigint
                   end as taken_millis_ago,
                   case when isfinite(expires_at)
                        then (extract(epoch from expires_at - statement_timestamp()) * 1000)::bigint
                   end as left_millis,
                   expires_at > 'epoch' and holder::text <> '-' as is_unreleased,
                   :done_slot is not null as is_round,
                   coalesce(:deaths, 0) as deaths,
                   shown(:pause_reason) as pause_reason
              from :table
             where (expires_at > 'epoch' and holder::text <> '-')
                or :deaths > 2
                or :pause_reason is not null
             order by taken_at, name::text
             limit 20000
            """;

    /** What is counted and configured of a table. Nobody needs a privilege on it, but its size waits for who has it locked. */
    static final String TABLE_STATISTICS = """
            select pg_relation_size(c.oid) as bytes,
                   pg_indexes_size(c.oid) as index_bytes,
                   coalesce(s.n_live_tup, 0) as live_rows,
                   coalesce(s.n_dead_tup, 0) as dead_rows,
                   coalesce(s.n_tup_upd, 0) as updates,
                   coalesce(s.n_tup_hot_upd, 0) as hot_updates,
                   (extract(epoch from clock_timestamp() - greatest(s.last_vacuum, s.last_autovacuum)) * 1000)::bigint
                     as vacuumed_millis_ago,
                   coalesce((select option_value::int
                               from pg_options_to_table(c.reloptions)
                              where option_name = 'fillfactor'), 100) as fillfactor,
                   coalesce((select option_value::boolean
                               from pg_options_to_table(c.reloptions)
                              where option_name = 'autovacuum_enabled'), true) as has_autovacuum,
                   exists (select
                             from pg_index i
                             join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
                            where i.indrelid = c.oid
                              and i.indnkeyatts = 1
                              and a.attname = 'name'
                              and i.indisunique
                              and i.indisvalid
                              and i.indimmediate
                              and i.indpred is null) as has_key
              from pg_class c
              left join pg_stat_all_tables s on s.relid = c.oid
             where c.oid = ?::oid
            """;

    /** The indexes of a table, and on what they depend: columns of their keys, expressions and predicates. */
    static final String INDEXES = """
            select format('%I.%I', n.nspname, x.relname) as index,
                   (select format('%I', k.conname)
                      from pg_constraint k
                     where k.conindid = i.indexrelid
                       and k.contype in ('p', 'u', 'x')
                     limit 1) as constraint,
                   array(select a.attname::text
                           from pg_attribute a
                          where a.attrelid = i.indrelid
                            and a.attnum > 0
                            and (a.attnum = any (i.indkey)
                                 or exists (select
                                              from pg_depend d
                                             where d.classid = 'pg_class'::regclass
                                               and d.objid = i.indexrelid
                                               and d.refclassid = 'pg_class'::regclass
                                               and d.refobjid = i.indrelid
                                               and d.refobjsubid = a.attnum))
                          order by a.attnum) as columns
              from pg_index i
              join pg_class x on x.oid = i.indexrelid
              join pg_namespace n on n.oid = x.relnamespace
             where i.indrelid = ?::oid
             order by index
            """;

    /** Who has a table locked so that it cannot even be read, or waits to have it. */
    static final String LOCKERS_OF_TABLE = """
            select l.pid,
                   l.granted,
                   shown(a.usename) as role,
                   a.application_name as application,
                   a.state,
                   (extract(epoch from clock_timestamp() - a.xact_start) * 1000)::bigint as open_millis
              from pg_locks l
              left join pg_stat_activity a on a.pid = l.pid
             where l.locktype = 'relation'
               and l.database = (select oid from pg_database where datname = current_database())
               and l.relation = ?::oid
               and l.mode = 'AccessExclusiveLock'
             order by l.granted desc, l.pid
            """;
}
