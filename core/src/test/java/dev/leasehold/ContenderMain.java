package dev.leasehold;

import dev.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** A process that tries for one lease with several threads until it held it often enough, and writes down each time. */
final class ContenderMain {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int HOLDS = 20;
    private static final int THREADS = 4;

    private ContenderMain() {}

    public static void main(String[] arguments) throws Exception {
        DataSource dataSource = TestDatabase.dataSource(arguments[0]);
        var executor = Executors.newFixedThreadPool(THREADS);
        try (var leases =
                Leases.on(dataSource).ttl(Duration.parse(arguments[1])).build()) {
            long end = System.nanoTime() + LIMIT.toNanos();
            var holds = new AtomicInteger();
            var all = new ArrayList<Future<Boolean>>();
            for (int i = 0; i < THREADS; i++) {
                all.add(executor.submit(() -> contend(leases, dataSource, end, holds)));
            }
            for (var one : all) {
                one.get();
            }
        } finally {
            executor.shutdownNow();
        }
    }

    private static boolean contend(Leases leases, DataSource dataSource, long end, AtomicInteger holds)
            throws Exception {
        while (holds.get() < HOLDS) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("held only " + holds + " times within " + LIMIT);
            }
            try {
                if (leases.tryRun("contended", lease -> hold(lease, dataSource))) {
                    holds.incrementAndGet();
                }
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
