package dev.leasehold.doctor;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.Await;
import dev.leasehold.testkit.PostgresVersion;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestServer;
import java.sql.SQLException;
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

    /** Of an ordinary role, which may not see of what kind a backend is. */
    private static final String OTHER_CLIENTS =
            "select count(*) from pg_stat_activity where datname is not null and pid <> pg_backend_pid()";

    private DoctorServer() {}

    /** A new database, once the sessions of the last test are gone. */
    static TestDatabase freshDatabase(PostgresVersion version) throws Exception {
        TestServer server = version == PostgresVersion.OLDEST ? Oldest.SERVER : Newest.SERVER;
        TestDatabase database = server.freshDatabase();
        database.execute(ROLES);
        quietConnection(database, database.user()).close();
        return database;
    }

    /** The only one on the server, for what is counted: a session lives for a moment after its client has closed it. */
    static HikariDataSource quietConnection(TestDatabase database, String role) throws Exception {
        var config = new HikariConfig();
        config.setDataSource(database.dataSourceAs(role, ""));
        config.setMaximumPoolSize(1);
        var pool = new HikariDataSource(config);
        Await.until("quiet", Duration.ofSeconds(20), () -> {
            try (var connection = pool.getConnection();
                    var statement = connection.createStatement();
                    var row = statement.executeQuery(OTHER_CLIENTS)) {
                row.next();
                return row.getLong(1) == 0;
            }
        });
        return pool;
    }

    private static TestServer start(PostgresVersion version) {
        TestServer server = TestServer.start(
                version,
                Map.of(
                        "max_connections", Integer.toString(MAX_CONNECTIONS),
                        "max_prepared_transactions", "5",
                        "wal_level", "logical",
                        // as Linux has them by default; a machine may have others
                        "tcp_keepalives_idle", "7200",
                        "tcp_keepalives_interval", "75",
                        "tcp_keepalives_count", "9"));
        try {
            letAutovacuumLook(server.freshDatabase(), false);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return server;
    }

    /** Each second; or so seldom that it is never in the way, and yet on. */
    static void letAutovacuumLook(TestDatabase database, boolean isOften) throws SQLException {
        database.execute("alter system set autovacuum_naptime = " + (isOften ? "1" : "2147483"));
        database.execute("select pg_reload_conf()");
    }

    private static final class Oldest {
        static final TestServer SERVER = start(PostgresVersion.OLDEST);
    }

    private static final class Newest {
        static final TestServer SERVER = start(PostgresVersion.NEWEST);
    }
}
