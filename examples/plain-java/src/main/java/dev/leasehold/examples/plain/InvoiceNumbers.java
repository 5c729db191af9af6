package dev.leasehold.examples.plain;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.Lease;
import dev.leasehold.LeaseException;
import dev.leasehold.Leases;
import dev.leasehold.RunHistory;
import dev.leasehold.rounds.Round;
import dev.leasehold.rounds.Rounds;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * Gives out invoice numbers without gaps, on one instance at a time, and cleans up its run history in rounds. All of it shares
 * one connection.
 */
public final class InvoiceNumbers {

    private static final Duration STOP = Duration.ofSeconds(20);

    private final CountDownLatch stop = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    private InvoiceNumbers() {}

    /** Runs until SIGTERM or Ctrl-C; needs a JDBC URL. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length != 1) {
            System.err.println("usage: java -jar plain-java.jar jdbc:postgresql://host:5432/database?user=name");
            System.exit(2);
        }
        try (var pool = new HikariDataSource()) {
            pool.setJdbcUrl(arguments[0]);
            pool.setMaximumPoolSize(1);
            new InvoiceNumbers().run(pool);
        }
    }

    private void run(DataSource pool) throws Exception {
        Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "stop"));
        try (Leases leases = Leases.on(pool).build()) {
            RunHistory history = leases.runHistory().build();
            Round cleanUp = Round.named("clean-up")
                    .every(Duration.ofSeconds(2))
                    .work(context -> print(
                            "slot " + context.slot() + ": " + history.cleanUp(Duration.ofDays(30)) + " old runs"));
            Rounds rounds = Rounds.on(leases).history(history).add(cleanUp).start();
            print("started; Ctrl-C stops it");
            try {
                giveOutNumbers(leases);
            } finally {
                rounds.stop(STOP);
            }
        } finally {
            ended.countDown();
        }
    }

    private void giveOutNumbers(Leases leases) throws Exception {
        do {
            try {
                leases.tryRun("invoice-numbers", this::giveOutNumbers);
            } catch (LeaseException e) {
                print("no numbers for now: " + e.getMessage());
            }
        } while (!stop.await(1, TimeUnit.SECONDS));
    }

    /** Fenced: if another instance has taken over meanwhile, nothing is committed. */
    private void giveOutNumbers(Lease lease) throws Exception {
        print("this instance gives out the numbers, under fence " + lease.fence());
        lease.runFenced(InvoiceNumbers::createTable);
        while (lease.isHeld() && !stop.await(100, TimeUnit.MILLISECONDS)) {
            print("number " + lease.callFenced(InvoiceNumbers::next));
        }
    }

    private static void createTable(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("create table if not exists invoice (number bigint)");
        }
    }

    /** No constraint keeps two instances from the same number: the lease does. */
    private static long next(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("""
                        insert into invoice
                        select coalesce(max(number), 0) + 1 from invoice
                        returning number
                        """)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** The JVM ends when this returns: not before the work has stopped and its leases are released. */
    private void stop() {
        stop.countDown();
        try {
            if (!ended.await(STOP.toSeconds() + 5, TimeUnit.SECONDS)) {
                print("the work has not ended in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void print(String line) {
        System.out.println(line);
    }
}
