package dev.leasehold;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** The statement that renews all leases of a process, for the benchmarks to time by itself. */
public final class RenewalStatement {

    private final NamedSql sql = NamedSql.of(LeaseSql.RENEW, TableName.of(LeasesBuilder.DEFAULT_TABLE));
    private final List<Lease> leases;
    private final long ttlMicros;

    public RenewalStatement(List<Lease> leases, Duration ttl) {
        this.leases = List.copyOf(leases);
        this.ttlMicros = Micros.of(ttl);
    }

    /** Sends it as the renewal does. Fails unless it renews every lease. */
    public void run(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql.jdbc())) {
            int index = 1;
            for (String name : sql.parameters()) {
                bind(connection, statement, index++, name);
            }
            int renewed = 0;
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    renewed++;
                }
            }
            if (renewed != leases.size()) {
                throw new SQLException(renewed + " leases were renewed instead of " + leases.size());
            }
        }
    }

    private void bind(Connection connection, PreparedStatement statement, int index, String name) throws SQLException {
        switch (name) {
            case "names" -> statement.setArray(index, texts(connection, Lease::name));
            case "holders" -> statement.setArray(index, texts(connection, Lease::holder));
            case "fences" -> statement.setArray(index, numbers(connection, Lease::fence));
            case "ttls_micros" -> statement.setArray(index, numbers(connection, lease -> ttlMicros));
            default -> throw new SQLException("the renewal has a parameter that is not known here: " + name);
        }
    }

    private Array texts(Connection connection, Function<Lease, String> text) throws SQLException {
        return connection.createArrayOf("text", leases.stream().map(text).toArray());
    }

    private Array numbers(Connection connection, Function<Lease, Long> number) throws SQLException {
        return connection.createArrayOf("bigint", leases.stream().map(number).toArray());
    }
}
