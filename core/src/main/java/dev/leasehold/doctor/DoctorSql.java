package dev.leasehold.doctor;

/**
 * Every statement of the doctor. They read only, take no lock that others could wait for, and run as any role: what that may
 * not see comes back as null.
 */
final class DoctorSql {

    private DoctorSql() {}

    /** Nothing that is asked here may hang, or hang others. */
    static final String BOUNDS = "set local statement_timeout = '5s'; set local lock_timeout = '1s'";

    static final String SERVER = """
            select current_setting('server_version') as version,
                   current_setting('server_version_num')::int / 10000 as major,
                   current_database() as database,
                   current_user as role,
                   clock_timestamp() as now
            """;

    /**
     * Of all backends, also of those that are no clients. Text of a database of another encoding could be refused by the server
     * or the driver, so that it comes with its other characters escaped.
     */
    static final String SESSIONS = """
            select a.pid,
                   a.pid = pg_backend_pid() as is_own,
                   coalesce(a.backend_type, '') as kind,
                   coalesce(a.datname, '') as database,
                   coalesce(a.usename, '') as role,
                   coalesce(a.application_name, '') as application,
                   host(a.client_addr) as client,
                   a.state,
                   extract(epoch from clock_timestamp() - a.xact_start) as open_seconds,
                   extract(epoch from clock_timestamp() - a.state_change) as state_seconds,
                   greatest(age(a.backend_xid), age(a.backend_xmin)) as behind,
                   case when pg_encoding_to_char(here.encoding) = 'SQL_ASCII'
                        then left(encode(convert_to(a.query, 'SQL_ASCII'), 'escape'), 500)
                        when there.encoding is distinct from here.encoding
                        then left(encode(textsend(a.query), 'escape'), 500)
                        else left(a.query, 500)
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
                select n.name,
                       hashtext(n.name)::bigint as short_hash,
                       hashtextextended(n.name, 0) as long_hash,
                       hashtextextended(n.name, n.tableoid::bigint) as own_hash
                  from (select name, tableoid from %s limit 10000) n
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
            select gid,
                   coalesce(database, '') as database,
                   owner as role,
                   extract(epoch from clock_timestamp() - prepared) as open_seconds,
                   age(transaction) as behind
              from pg_prepared_xacts
             order by prepared
            """;

    /** Besides sessions and prepared transactions. What a standby holds back by a slot is told by the slot. */
    static final String REPLICATION_XMIN = """
            select 'replication slot ' || slot_name || case when active then '' else ' (inactive)' end as holder,
                   coalesce(database, '') as database,
                   greatest(age(xmin), age(catalog_xmin)) as behind
              from pg_replication_slots
             where xmin is not null
                or catalog_xmin is not null
             union all
            select 'feedback of standby ' || application_name as holder,
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
                   rolname as name,
                   rolconnlimit as most
              from pg_roles
             where rolconnlimit > 0
               and not rolsuper
             union all
            select false as is_role,
                   datname as name,
                   datconnlimit as most
              from pg_database
             where datconnlimit > 0
             order by is_role, name
            """;

    /** A superuser's own limit does not bind it; -1 is none. What is hidden and in a database is a client, as good as always. */
    static final String ROLE_IN_DATABASE = """
            with connected as (
                     select datname,
                            usename
                       from pg_stat_activity
                      where pid <> pg_backend_pid()
                        and (backend_type = 'client backend' or (backend_type is null and datid is not null))
                 )
            select d.datname as database,
                   d.datconnlimit as database_limit,
                   r.rolname as role,
                   case when r.rolsuper then -1 else r.rolconnlimit end as role_limit,
                   (select count(*) from connected) as connected,
                   (select count(*) from connected c where c.datname = d.datname) as connected_to_database,
                   (select count(*) from connected c where c.usename = r.rolname) as connected_as_role
              from pg_database d
              join pg_roles r on r.rolname = ?
             where d.datname = current_database()
            """;
}
