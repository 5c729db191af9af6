package dev.leasehold.watch.testing;

import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A database with the service's tables, and a pool of one connection on it, so that nothing can hold two. */
public final class MigratedDatabase implements AutoCloseable {

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final HikariDataSource pool = new HikariDataSource();

    public MigratedDatabase() {
        Flyway.configure()
                .dataSource(database.dataSource())
                .locations("classpath:db/migration")
                .load()
                .migrate();
        pool.setDataSource(database.dataSource());
        pool.setMaximumPoolSize(1);
        pool.setConnectionTimeout(Duration.ofSeconds(20).toMillis());
    }

    /** On the pool of one. */
    public JdbcClient jdbc() {
        return JdbcClient.create(pool);
    }

    /** On the pool of one. */
    public TransactionTemplate transactions() {
        return new TransactionTemplate(new DataSourceTransactionManager(pool));
    }

    public DataSource pool() {
        return pool;
    }

    /** Whether the one connection of the pool is lent out. */
    public boolean poolIsBusy() {
        return pool.getHikariPoolMXBean() != null && pool.getHikariPoolMXBean().getActiveConnections() > 0;
    }

    /** Beside the pool, for what the test itself does. */
    public JdbcClient aside() {
        return JdbcClient.create(database.dataSource());
    }

    /** Beside the pool too. */
    public Connection connect() throws SQLException {
        return database.connect();
    }

    public long addMonitor(String name, String url, Duration timeout) {
        return aside().sql("""
                        insert into monitor (name, url, timeout_ms, source)
                        values (:name, :url, :timeout, 'api')
                        returning id
                        """)
                .param("name", name)
                .param("url", url)
                .param("timeout", timeout.toMillis())
                .query(Long.class)
                .single();
    }

    public long count(String table) {
        return aside().sql("select count(*) from " + table).query(Long.class).single();
    }

    /** Returns once a statement on this database waits for a lock. */
    public void awaitSomeoneWhoWaitsForALock() {
        await().atMost(Duration.ofSeconds(30))
                .until(() ->
                        count("pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()") == 1);
    }

    @Override
    public void close() {
        pool.close();
    }
}
