package dev.leasehold.cli;

import dev.leasehold.LeaseException;
import dev.leasehold.Leases;
import dev.leasehold.RecordedRun;
import dev.leasehold.RunHistory;
import dev.leasehold.SchemaMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Reads the run history, which a database need not have.
 *
 * @param history what reads it
 */
record RunReader(RunHistory history) {

    /** Enough for the last runs of most rounds at once; of those that run rarely the rest is asked one by one. */
    private static final int AT_ONCE = 1_000;

    private static final int MOST = 10_000;

    /** There is no such table, or it must not be read. Says which. */
    static final class NoHistory extends Exception {

        private static final long serialVersionUID = 1L;

        private NoHistory(String why, LeaseException cause) {
            super(why, cause);
        }
    }

    static RunReader of(Leases leases) {
        return new RunReader(leases.runHistory().schema(SchemaMode.NONE).build());
    }

    /** The last runs, of all rounds if the name is empty. */
    List<RecordedRun> runs(String round, int most) throws NoHistory {
        try {
            return round.isEmpty() ? history.runs(most) : history.runs(round, most);
        } catch (LeaseException e) {
            throw noHistory(e);
        }
    }

    /** The last runs of each lease; those of these rounds, and others that are found on the way. */
    Map<String, List<RecordedRun>> lastRuns(Collection<RoundName> rounds) throws NoHistory {
        List<RecordedRun> all = new ArrayList<>(runs("", AT_ONCE));
        if (all.size() == AT_ONCE) {
            var rest = new TreeSet<>(rounds.stream().map(RoundName::round).toList());
            all.forEach(run -> rest.remove(run.round()));
            for (String round : rest) {
                all.addAll(runs(round, Math.min(MOST, RoundView.RUNS * rounds.size())));
            }
        }
        return all.stream().collect(Collectors.groupingBy(RecordedRun::lease));
    }

    private static NoHistory noHistory(LeaseException e) throws NoHistory {
        return switch (LeaseOptions.sqlState(e).orElse("")) {
            case "42P01" -> new NoHistory("there is no table round_runs, which rounds with a history write", e);
            case "42501" -> new NoHistory("this role may not read the table round_runs", e);
            default -> throw e;
        };
    }
}
