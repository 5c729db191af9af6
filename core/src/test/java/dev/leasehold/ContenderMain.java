package dev.leasehold;

import dev.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** A process that tries for one lease with several threads for some seconds, and writes down each time it held it. */
final class ContenderMain {

    private static final Duration DURATION = Duration.ofSeconds(5);
    private static final int THREADS = 4;

    private ContenderMain() {}

    public static void main(String[] arguments) throws Exception {
        DataSource dataSource = TestDatabase.dataSource(arguments[0]);
        var executor = Executors.newFixedThreadPool(THREADS);
        try (var leases =
                Leases.on(dataSource).ttl(Duration.parse(arguments[1])).build()) {
            long end = System.nanoTime() + DURATION.toNanos();
            var all = new ArrayList<Future<Boolean>>();
            for (int i = 0; i < THREADS; i++) {
                all.add(executor.submit(() -> contend(leases, dataSource, end)));
            }
            for (var one : all) {
                one.get();
            }
        } finally {
            executor.shutdownNow();
        }
    }

    private static boolean contend(Leases leases, DataSource dataSource, long end) throws Exception {
        while (System.nanoTime() < end) {
            try {
                leases.tryRun("contended", lease -> hold(lease, dataSource));
            } catch (LeaseException noAnswerInTime) {
                System.out.println(noAnswerInTime.getMessage());
            }
        }
        return true;
    }

    /** Both moments are read while the lease is held, on the database's clock. */
    private static void hold(Lease lease, DataSource dataSource) throws SQLException, InterruptedException {
        try (var connection = dataSource.getConnection()) {
            try (var insert = connection.prepareStatement("insert into hold values (?, ?, clock_timestamp(), null)")) {
                insert.setString(1, lease.holder());
                insert.setLong(2, lease.fence());
                insert.executeUpdate();
            }
            TimeUnit.MILLISECONDS.sleep(5);
            lease.checkHeld();
            try (var update =
                    connection.prepareStatement("update hold set ended = clock_timestamp() where fence = ?")) {
                update.setLong(1, lease.fence());
                update.executeUpdate();
            }
        }
    }
}
