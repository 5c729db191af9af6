package dev.leasehold.shedlock;

import dev.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import javax.sql.DataSource;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.jdbc.core.JdbcTemplate;

/** ShedLock's JDBC provider, as its documentation sets it up. */
final class JdbcLocks {

    private JdbcLocks() {}

    static void createTable(TestDatabase database) throws SQLException {
        database.execute("create table shedlock (name varchar(64) not null primary key, lock_until timestamp not null,"
                + " locked_at timestamp not null, locked_by varchar(255) not null)");
    }

    static JdbcTemplateLockProvider on(DataSource source) {
        return new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                .withJdbcTemplate(new JdbcTemplate(source))
                .usingDbTime()
                .build());
    }
}
