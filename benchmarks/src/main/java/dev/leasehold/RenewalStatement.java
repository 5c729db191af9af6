package dev.leasehold;

import dev.leasehold.internal.TableName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The statement that renews all leases of a process, for the benchmarks to time by itself. */
public final class RenewalStatement {

    private final NamedSql sql;
    private final List<Lease> leases;
    private final long ttlMicros;

    public RenewalStatement(List<Lease> leases, Duration ttl) {
        this.leases = List.copyOf(leases);
        this.sql = NamedSql.of(LeaseSql.RENEW, TableName.of(LeasesBuilder.DEFAULT_TABLE))
                .forUpTo(leases.size());
        this.ttlMicros = Micros.of(ttl);
    }

    /** Sends it as the renewal does. Fails unless it renews every lease. */
    public void run(Connection connection) throws SQLException {
        Map<String, ?> parameters = Map.of(
                "names", leases.stream().map(Lease::name).toArray(String[]::new),
                "holders", leases.stream().map(Lease::holder).toArray(String[]::new),
                "fences", leases.stream().map(Lease::fence).toArray(Long[]::new),
                "limits_micros", leases.stream().map(lease -> -1L).toArray(Long[]::new),
                "ttls_micros", leases.stream().map(lease -> ttlMicros).toArray(Long[]::new));
        try (PreparedStatement statement = sql.prepare(connection, parameters)) {
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
}
