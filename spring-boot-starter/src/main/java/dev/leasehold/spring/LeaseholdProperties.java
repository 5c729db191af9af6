package dev.leasehold.spring;

import dev.leasehold.SchemaMode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code leasehold.*}.
 *
 * @param enabled whether there are leases; without them, exclusive methods run on every instance, and rounds on none
 * @param ttl how long a lease lasts without renewal
 * @param renewEvery how often leases are renewed; a quarter of the ttl if not set
 * @param margin how much earlier than the ttl a holder stops to trust its lease; a twelfth of the ttl if not set
 * @param table the lease table, table or schema.table
 * @param schema what to do about the lease table at start: create, validate or none
 * @param dataSource the name of the DataSource bean to use, where there are several
 * @param node the node this instance runs on; the name of the host if not set
 * @param fenceTransactions whether transactions of exclusive work check its lease before they commit
 * @param rounds how rounds run
 */
@ConfigurationProperties("leasehold")
public record LeaseholdProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("2m") Duration ttl,
        @Nullable Duration renewEvery,
        @Nullable Duration margin,
        @DefaultValue("leases") String table,
        @DefaultValue("create") SchemaMode schema,
        @Nullable String dataSource,
        @Nullable String node,
        @DefaultValue("true") boolean fenceTransactions,
        @DefaultValue Rounds rounds) {

    private static final int LONGEST_NODE = 255;

    public LeaseholdProperties {
        if (node != null && (node.isBlank() || node.length() > LONGEST_NODE)) {
            throw new IllegalArgumentException(
                    "leasehold.node is \"" + node + "\", but must have 1 to " + LONGEST_NODE + " characters");
        }
    }

    /**
     * The properties {@code leasehold.rounds.*}.
     *
     * @param enabled whether the rounds of this instance start with it
     * @param workers how many rounds may run at a time on this instance; as many as there are if not set
     * @param stopTimeout how long a stop of the application waits for rounds that run
     * @param stopGrace how long it waits once more after it has interrupted those; they are not interrupted if not set
     * @param history whether each run is written to the table round_runs
     */
    public record Rounds(
            @DefaultValue("true") boolean enabled,
            @Nullable Integer workers,
            @DefaultValue("20s") Duration stopTimeout,
            @Nullable Duration stopGrace,
            @DefaultValue("false") boolean history) {

        public Rounds {
            if (workers != null && workers < 1) {
                throw new IllegalArgumentException(
                        "leasehold.rounds.workers is " + workers + ", but must be at least 1");
            }
            requireNotNegative("leasehold.rounds.stop-timeout", stopTimeout);
            requireNotNegative("leasehold.rounds.stop-grace", stopGrace);
        }

        private static void requireNotNegative(String property, @Nullable Duration value) {
            if (value != null && value.isNegative()) {
                throw new IllegalArgumentException(property + " is " + value + ", but must be zero or more");
            }
        }
    }
}
