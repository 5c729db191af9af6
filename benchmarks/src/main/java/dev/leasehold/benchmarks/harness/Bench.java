package dev.leasehold.benchmarks.harness;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.benchmarks.subject.Floor;
import dev.leasehold.benchmarks.subject.Subject;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;

/** What every scenario is given. */
public record Bench(Server server, List<Subject> subjects, Sizes sizes, Rounds rounds, Progress progress) {

    public static final int POOL_SIZE = 4;
    public static final int MANY_THREADS = 8;

    /** A pool as an application has it: four connections, the driver's defaults. */
    public HikariDataSource pool() {
        return pool("");
    }

    /** The same with server settings for each connection, as {@code -c name=value}. */
    public HikariDataSource pool(String options) {
        return pool(server.url(server.database().port(), options), POOL_SIZE);
    }

    /** The same, but with connections opened only when needed: for many pools at a time. */
    public HikariDataSource lazyPool(String options) {
        return pool(server.url(server.database().port(), options), 1);
    }

    public FarServer farServer() {
        return new FarServer(server);
    }

    public CountedPool countedPool(String options) {
        return new CountedPool(server, options);
    }

    /** The same in another process. */
    public static HikariDataSource poolOf(String jdbcUrl) {
        return pool(jdbcUrl, 1);
    }

    static HikariDataSource pool(String jdbcUrl, int openAtLeast) {
        var pool = new HikariDataSource();
        pool.setJdbcUrl(jdbcUrl);
        pool.setMaximumPoolSize(POOL_SIZE);
        pool.setMinimumIdle(openAtLeast);
        return pool;
    }

    /** The names that a thread of a crew goes through: its own. */
    public List<String> names(String prefix, int thread) {
        return IntStream.range(0, sizes.names())
                .mapToObj(i -> prefix + "-" + thread + "-" + i)
                .toList();
    }

    /** Brings the planner's statistics up to date, alike for all. */
    public void settle() throws SQLException {
        server.vacuum();
    }

    /** A floor on that pool, with a row for each name. */
    public Floor floor(HikariDataSource pool, List<String> names) throws SQLException {
        var floor = new Floor(pool);
        floor.insert(names);
        return floor;
    }
}
