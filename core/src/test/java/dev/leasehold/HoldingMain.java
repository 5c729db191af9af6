package dev.leasehold;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.testkit.TestDatabase;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that holds on to one lease through a pool of one, and writes down, in memory that outlives it, from when to when
 * it answered that it held it. Takes commands from its input: hog, free.
 */
final class HoldingMain {

    /** The monotonic clock is the same for all processes of a machine. */
    record Span(long fence, long firstNanos, long lastNanos) {

        static final int BYTES = 3 * Long.BYTES;

        static Span read(MappedByteBuffer trace, int index) {
            int at = index * BYTES;
            return new Span(trace.getLong(at), trace.getLong(at + 8), trace.getLong(at + 16));
        }
    }

    static final int MOST_SPANS = 1000;

    private static final Duration NARROW = Duration.ofMillis(2);

    private HoldingMain() {}

    public static void main(String[] arguments) throws Exception {
        var config = new HikariConfig();
        config.setDataSource(TestDatabase.dataSource(arguments[0]));
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(500);
        try (var pool = new HikariDataSource(config);
                var leases = Leases.on(pool).ttl(Duration.parse(arguments[1])).build();
                var holding = leases.holdOn("feed")
                        .lookEvery(Duration.ofMillis(200))
                        .listener(new Events() {
                            @Override
                            void add(String event) {
                                System.out.println(event);
                            }
                        })
                        .start()) {
            MappedByteBuffer trace = map(Path.of(arguments[2]));
            var sampler = new Thread(() -> sample(holding, trace), "sampler");
            sampler.setDaemon(true);
            sampler.start();
            obey(pool);
        }
    }

    static MappedByteBuffer map(Path trace) throws Exception {
        try (var channel =
                FileChannel.open(trace, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) MOST_SPANS * Span.BYTES);
        }
    }

    private static void obey(HikariDataSource pool) throws Exception {
        var input = new java.util.Scanner(System.in, java.nio.charset.StandardCharsets.UTF_8);
        while (input.hasNextLine()) {
            if (input.nextLine().equals("hog")) {
                try (var hogged = hogged(pool)) {
                    System.out.println("hogged " + hogged.isValid(30));
                    input.nextLine();
                }
                System.out.println("free");
            }
        }
    }

    private static Connection hogged(HikariDataSource pool) throws SQLException {
        while (true) {
            try {
                return pool.getConnection();
            } catch (SQLTransientConnectionException busy) {
                System.out.println(busy.getMessage());
            }
        }
    }

    /** A sample counts only if it took no time, so that it says what was answered when. */
    private static void sample(Holding holding, MappedByteBuffer trace) {
        int index = -1;
        long fence = 0;
        while (true) {
            long before = System.nanoTime();
            Optional<Lease> lease = holding.lease();
            boolean isHeld = holding.isHeld();
            long after = System.nanoTime();
            if (isHeld && lease.isPresent() && after - before < NARROW.toNanos()) {
                if (lease.get().fence() != fence) {
                    fence = lease.get().fence();
                    index++;
                    trace.putLong(index * Span.BYTES + 8, before);
                    trace.putLong(index * Span.BYTES, fence);
                }
                trace.putLong(index * Span.BYTES + 16, after);
            }
            LockSupport.parkNanos(500_000);
        }
    }
}
