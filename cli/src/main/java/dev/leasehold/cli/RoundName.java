package dev.leasehold.cli;

import dev.leasehold.LeaseRow;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The name of a round's lease taken apart: a round of node scope has one a node, {@code round@node}.
 *
 * @param node empty for a round of the whole cluster, or all nodes of one
 */
record RoundName(String round, Optional<String> node) {

    /** No round has that sign in its own name. */
    static RoundName of(String lease) {
        int at = lease.indexOf('@');
        return at < 1
                ? new RoundName(lease, Optional.empty())
                : new RoundName(lease.substring(0, at), Optional.of(lease.substring(at + 1)));
    }

    /** Whether a row is that round's, or one of its nodes'. */
    static boolean isIn(Collection<LeaseRow> rows, String round) {
        return rows.stream()
                .anyMatch(row -> row.name().equals(round) || row.name().startsWith(round + "@"));
    }

    /** What may have been meant: names of leases, and of rounds without their nodes. */
    static List<String> all(Collection<LeaseRow> rows) {
        return rows.stream()
                .map(LeaseRow::name)
                .flatMap(name -> Stream.of(name, of(name).round()))
                .distinct()
                .toList();
    }
}
