package dev.leasehold.micrometer;

import dev.leasehold.testkit.ForwardingDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A source that gives no connection while it is broken. */
final class BreakableDataSource extends ForwardingDataSource {

    private volatile boolean broken;

    BreakableDataSource(DataSource target) {
        super(target);
    }

    void broken(boolean now) {
        broken = now;
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (broken) {
            throw new SQLException("broken by the test");
        }
        return super.getConnection();
    }
}
