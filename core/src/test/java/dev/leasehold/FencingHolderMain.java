package dev.leasehold;

import dev.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Writes in a fenced transaction that it keeps open, idle and fenced, until it is told to go on. */
final class FencingHolderMain {

    private FencingHolderMain() {}

    public static void main(String[] arguments) throws Exception {
        try (var leases = Leases.on(TestDatabase.dataSource(arguments[0]))
                .ttl(Duration.parse(arguments[1]))
                .build()) {
            Lease lease = leases.tryAcquire("frozen").lease().orElseThrow();
            lease.runFenced(connection -> {
                try (var statement = connection.createStatement()) {
                    statement.execute("insert into effect values ('stale')");
                }
                TimeUnit.MILLISECONDS.sleep(500);
                lease.fence(connection);
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
}
