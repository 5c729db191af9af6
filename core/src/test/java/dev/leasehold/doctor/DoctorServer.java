package dev.leasehold.doctor;

import dev.leasehold.Await;
import dev.leasehold.testkit.PostgresVersion;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestServer;
import java.time.Duration;
import java.util.Map;

/** Small servers that only the doctor's tests use, one test at a time: what they find of sessions is of their own making. */
final class DoctorServer {

    /** The resource that a test class locks. */
    static final String LOCK = "doctor-server";

    /** Of which three are kept for superusers. */
    static final int MAX_CONNECTIONS = 20;

    static final int USABLE = 17;

    private static final String ROLES = """
            do $$
            begin
              if not exists (select from pg_roles where rolname = 'ordinary') then
                create role ordinary login;
                create role "Sees All" login;
                grant pg_monitor to "Sees All";
                create role narrow login connection limit 2;
              end if;
            end $$
            """;

    private static final String OTHER_CLIENTS =
            "select count(*) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()";

    private DoctorServer() {}

    /** A new database, once the sessions of the last test are gone. */
    static TestDatabase freshDatabase(PostgresVersion version) throws Exception {
        TestServer server = version == PostgresVersion.OLDEST ? Oldest.SERVER : Newest.SERVER;
        TestDatabase database = server.freshDatabase();
        Await.until("quiet", Duration.ofSeconds(20), () -> database.queryForLong(OTHER_CLIENTS) == 0);
        database.execute(ROLES);
        return database;
    }

    private static TestServer start(PostgresVersion version) {
        return TestServer.start(
                version,
                Map.of(
                        "max_connections", Integer.toString(MAX_CONNECTIONS),
                        "max_prepared_transactions", "5",
                        "wal_level", "logical",
                        "autovacuum", "off"));
    }

    private static final class Oldest {
        static final TestServer SERVER = start(PostgresVersion.OLDEST);
    }

    private static final class Newest {
        static final TestServer SERVER = start(PostgresVersion.NEWEST);
    }
}
