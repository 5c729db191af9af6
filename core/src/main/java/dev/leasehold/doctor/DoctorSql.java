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

    /** Roles without superuser's rights are bound by the limits of their own, -1 for none; who may not see a kind sees clients. */
    static final String CAPACITY = """
            with connected as (
                     select datname, usename
                       from pg_stat_activity
                      where pid <> pg_backend_pid()
                        and (backend_type = 'client backend' or (backend_type is null and datid is not null))
                 )
            select current_setting('max_connections')::int as max_connections,
                   current_setting('superuser_reserved_connections')::int as superuser_reserved,
                   coalesce(current_setting('reserved_connections', true), '0')::int as reserved,
                   d.datname as database,
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
