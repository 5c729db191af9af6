package dev.leasehold.watch.sweep;

import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Deletes a batch in a transaction of its own. */
final class SweepStore {

    // For this transaction only.
    private static final String BOUNDED_WAIT = """
            select set_config('lock_timeout', :millis, true)
            """;

    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;
    private final SweepProperties properties;

    SweepStore(JdbcClient jdbc, TransactionTemplate transactions, SweepProperties properties) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.properties = properties;
    }

    /** How many were deleted: as many as asked for if there may be more. */
    int delete(Leftover leftover, int most) {
        Integer deleted = transactions.execute(transaction -> {
            jdbc.sql(BOUNDED_WAIT)
                    .param("millis", Long.toString(properties.lockTimeout().toMillis()))
                    .query(String.class)
                    .single();
            return jdbc.sql(leftover.delete())
                    .params(parameters(leftover, most))
                    .update();
        });
        return deleted == null ? 0 : deleted;
    }

    private Map<String, Object> parameters(Leftover leftover, int most) {
        return switch (leftover) {
            case PASSKEY_CHALLENGE, SSO_REQUEST -> Map.of("most", most);
            case CHECK_RESULT ->
                Map.of(
                        "most",
                        most,
                        "result_retention_seconds",
                        properties.resultRetention().toSeconds());
            case INSTANCE ->
                Map.of(
                        "most",
                        most,
                        "instance_retention_seconds",
                        properties.instanceRetention().toSeconds());
        };
    }
}
