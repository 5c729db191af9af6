package dev.leasehold.spring.transactions;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Tells whether a connection leads to the database of the leases. Asked once for each transaction manager, and not at all if its
 * transactions are on the leases' own {@link DataSource}. Thread-safe.
 */
final class LeaseDatabase {

    private static final Logger log = LoggerFactory.getLogger(LeaseDatabase.class);

    /** The same on a standby, and after a restart or a change of the address. */
    private static final String IDENTITY = """
            select (select system_identifier from pg_control_system()) || '/' || oid
              from pg_database
             where datname = current_database()
            """;

    private final Supplier<DataSource> dataSource;
    private final Map<Route, Boolean> known = new ConcurrentHashMap<>();
    private volatile @Nullable String identity;

    LeaseDatabase(Supplier<DataSource> dataSource) {
        this.dataSource = dataSource;
    }

    /**
     * Whether that connection, of a transaction of that manager, leads there.
     *
     * @throws UndecidedException if it cannot be found out: then the transaction must not be committed
     */
    boolean isThatOf(String manager, Connection connection) {
        if (isOfOwnSource(connection)) {
            return true;
        }
        try {
            var route = new Route(manager, connection.getMetaData().getURL());
            Boolean before = known.get(route);
            return before != null ? before : learned(route, connection);
        } catch (SQLException e) {
            throw new UndecidedException(manager, e);
        }
    }

    private boolean learned(Route route, Connection connection) throws SQLException {
        boolean same = connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")
                && own().equals(identity(connection));
        known.put(route, same);
        if (!same) {
            log.info(
                    "transactions of {} go to another database than that of the leases: they are not fenced",
                    route.manager());
        }
        return same;
    }

    /** One manager may lead to several databases. */
    private record Route(String manager, String url) {}

    /**
     * Finds out what there is to compare with, before the first transaction holds a connection. If that cannot be found out
     * now, the first transaction that needs it tries again.
     */
    void learn() {
        try {
            String unused = own();
        } catch (SQLException e) {
            log.debug("the database of the leases could not be asked for its identity", e);
        }
    }

    private boolean isOfOwnSource(Connection connection) {
        return TransactionSynchronizationManager.getResource(dataSource.get()) instanceof ConnectionHolder holder
                && holder.getConnection().equals(connection);
    }

    private String own() throws SQLException {
        String asked = identity;
        if (asked == null) {
            try (Connection connection = dataSource.get().getConnection()) {
                asked = identity(connection);
            }
            identity = asked;
        }
        return asked;
    }

    private static String identity(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(IDENTITY)) {
            rows.next();
            return rows.getString(1);
        }
    }

    /** It is not known whether a transaction has to be fenced. */
    static final class UndecidedException extends IllegalStateException {

        private static final long serialVersionUID = 1L;

        UndecidedException(String manager, SQLException cause) {
            super(
                    "it could not be found out whether transactions of " + manager
                            + " are on the database of the leases, so this one is not committed: " + cause.getMessage(),
                    cause);
        }
    }
}
