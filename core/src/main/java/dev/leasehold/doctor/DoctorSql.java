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
}
