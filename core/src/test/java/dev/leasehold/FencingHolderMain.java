package dev.leasehold;

import dev.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Writes in a fenced transaction that it keeps open, idle and fenced, until it is told to go on. When it says so, its lease has
 * all but run out.
 */
final class FencingHolderMain {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private FencingHolderMain() {}

    public static void main(String[] arguments) throws Exception {
        try (var leases = Leases.on(TestDatabase.dataSource(arguments[0]))
                .ttl(Duration.parse(arguments[1]))
                .build()) {
            Lease lease = leases.tryAcquire("frozen", LIMIT).lease().orElseThrow();
            lease.runFenced(connection -> {
                try (var statement = connection.createStatement()) {
                    statement.execute("insert into effect values ('stale')");
                }
                fenceBeforeARenewal(lease, connection, arguments[0]);
                System.out.println("fenced");
                if (System.in.read() < 0) {
                    throw new IOException("nobody is there any more");
                }
            });
            System.out.println("committed");
        } catch (LeaseException | LeaseLostException e) {
            System.out.println("refused: " + e.getMessage());
        }
    }

    /** Again, if a renewal comes between. */
    private static void fenceBeforeARenewal(Lease lease, Connection connection, String jdbcUrl) throws SQLException {
        boolean isRenewed = true;
        while (isRenewed) {
            var savepoint = connection.setSavepoint();
            try (var other = TestDatabase.dataSource(jdbcUrl).getConnection();
                    var statement = other.createStatement()) {
                statement.execute("update leases set expires_at = clock_timestamp() + interval '200 ms'");
            }
            lease.fence(connection);
            try (var statement = connection.createStatement();
                    var row = statement.executeQuery(
                            "select expires_at > clock_timestamp() + interval '200 ms' from leases")) {
                row.next();
                isRenewed = row.getBoolean(1);
            }
            if (isRenewed) {
                connection.rollback(savepoint);
            }
        }
    }
}
