package dev.leasehold.watch.page;

import dev.leasehold.LeaseRow;
import dev.leasehold.rounds.RoundStatus;
import dev.leasehold.watch.nodes.Instance;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All that the page shows, as it stood at one moment.
 *
 * @param now that moment, by the database's clock: every age on the page is measured from it
 */
record Snapshot(
        Instant now,
        List<Instance> instances,
        List<LeaseRow> leases,
        List<RoundStatus> rounds,
        List<MonitorRow> monitors,
        List<DomainRow> domains) {

    Snapshot with(List<LeaseRow> read) {
        return new Snapshot(now, instances, read, rounds, monitors, domains);
    }

    /**
     * A monitor with the newest result of each node.
     *
     * @param state up or down, as the alert evaluation last saw it; null before the first time
     */
    record MonitorRow(
            String name,
            String url,
            @Nullable String state,
            @Nullable Instant since,
            List<ResultRow> results) {}

    record ResultRow(
            String node,
            String outcome,
            Optional<Integer> statusCode,
            Duration duration,
            String detail,
            Instant checkedAt) {}

    /**
     * A domain with its findings; without a time before its first check.
     *
     * @param conclusive false if a look-up of the last check failed, so that its finding, if any, is of an earlier one
     */
    record DomainRow(String name, @Nullable Instant checkedAt, boolean conclusive, List<FindingRow> findings) {}

    record FindingRow(
            String subject, String status, @Nullable String record, String explanation, Instant foundAt) {}
}
