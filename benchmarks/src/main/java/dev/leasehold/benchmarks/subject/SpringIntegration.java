package dev.leasehold.benchmarks.subject;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import javax.sql.DataSource;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/** Spring Integration's lock registry on JDBC. */
public final class SpringIntegration implements Subject {

    public static final String LABEL = "Spring Integration";

    private static final String CREATE = """
            create table int_lock (
              lock_key char(36) not null,
              region varchar(100) not null,
              client_id char(36),
              created_date timestamp not null,
              expired_after timestamp not null,
              constraint int_lock_pk primary key (lock_key, region)
            )
            """;

    @Override
    public String label() {
        return LABEL;
    }

    @Override
    public Optional<String> table() {
        return Optional.of("int_lock");
    }

    @Override
    public void createTable(DataSource dataSource) throws SQLException {
        Statements.update(dataSource, CREATE);
    }

    @Override
    public Contender contender(DataSource pool, Duration ttl) {
        var repository = new DefaultLockRepository(pool);
        repository.setTransactionManager(new DataSourceTransactionManager(pool));
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        repository.start();
        return new Instance(repository, new JdbcLockRegistry(repository, ttl));
    }

    @Override
    public boolean refusesOwnThreadsFromMemory() {
        return true;
    }

    @Override
    public boolean isPeerLibrary() {
        return true;
    }

    private record Instance(DefaultLockRepository repository, JdbcLockRegistry registry) implements Contender {

        @Override
        public Optional<Hold> tryAcquire(String name) {
            Lock lock = registry.obtain(name);
            return lock.tryLock() ? Optional.of(new Locked(registry, lock, name)) : Optional.empty();
        }

        @Override
        public void close() {
            repository.stop();
        }
    }

    private record Locked(JdbcLockRegistry registry, Lock lock, String name) implements Hold {

        @Override
        public void renew() {
            registry.renewLock(name);
        }

        @Override
        public void release() {
            lock.unlock();
        }
    }
}
