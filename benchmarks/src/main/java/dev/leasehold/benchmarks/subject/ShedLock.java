package dev.leasehold.benchmarks.subject;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import javax.sql.DataSource;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.jdbc.core.JdbcTemplate;

/** ShedLock's JDBC provider, by the database's clock. */
public final class ShedLock implements Subject {

    public static final String LABEL = "ShedLock";

    private static final String CREATE = """
            create table shedlock (
              name varchar(64) not null,
              lock_until timestamp not null,
              locked_at timestamp not null,
              locked_by varchar(255) not null,
              primary key (name)
            )
            """;

    @Override
    public String label() {
        return LABEL;
    }

    @Override
    public Optional<String> table() {
        return Optional.of("shedlock");
    }

    @Override
    public void createTable(DataSource dataSource) throws SQLException {
        Statements.update(dataSource, CREATE);
    }

    @Override
    public Contender contender(DataSource pool, Duration ttl) {
        return new Instance(
                new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                        .withJdbcTemplate(new JdbcTemplate(pool))
                        .usingDbTime()
                        .build()),
                ttl);
    }

    @Override
    public boolean isPeerLibrary() {
        return true;
    }

    private record Instance(LockProvider provider, Duration ttl) implements Contender {

        @Override
        public Optional<Hold> tryAcquire(String name) {
            return provider.lock(new LockConfiguration(Instant.now(), name, ttl, Duration.ZERO))
                    .map(lock -> new Locked(lock, ttl));
        }
    }

    private static final class Locked implements Hold {

        private final Duration ttl;
        private SimpleLock lock;

        Locked(SimpleLock lock, Duration ttl) {
            this.lock = lock;
            this.ttl = ttl;
        }

        @Override
        public void renew() {
            lock = lock.extend(ttl, Duration.ZERO)
                    .orElseThrow(() -> new IllegalStateException("the lock was not extended"));
        }

        @Override
        public void release() {
            lock.unlock();
        }
    }
}
