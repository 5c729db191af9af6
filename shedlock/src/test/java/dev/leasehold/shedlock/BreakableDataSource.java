package dev.leasehold.shedlock;

import dev.leasehold.testkit.ForwardingDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** A database that is away for a while. */
final class BreakableDataSource extends ForwardingDataSource {

    private final AtomicInteger failures = new AtomicInteger();
    private volatile boolean isBroken;

    BreakableDataSource(DataSource target) {
        super(target);
    }

    void breakDown() {
        isBroken = true;
    }

    void repair() {
        isBroken = false;
    }

    /** How often a connection was asked for while it was away. */
    int failures() {
        return failures.get();
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (isBroken) {
            failures.incrementAndGet();
            throw new SQLException("the database is away", "08001");
        }
        return super.getConnection();
    }
}
