package dev.leasehold;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * A table that tells of the runs of rounds, one row for each: those that ended well or not, that lost their lease, and that
 * died. {@link Leases#runHistory()} makes it, and {@code RoundsBuilder.history} has rounds write it.
 *
 * <p>It is for people. No lease and no round depends on it: a write takes a second at most, and when the table is locked or
 * missing, what could not be written is tried again in the background for ten minutes, a thousand entries at most, while
 * work goes on; a warning says so once a minute. A crash of the database may take the last moments of it. Thread-safe.
 */
public final class RunHistory {

    private static final int MOST_READ = 10_000;

    private final HistoryTable table;
    private final HistoryTurns turns;
    private final HistoryWriter writer;

    RunHistory(HistoryTable table, HistoryTurns turns, HistoryWriter writer) {
        this.table = table;
        this.turns = turns;
        this.writer = writer;
    }

    /**
     * Writes down that a run begins under that lease. Never fails, and takes a second at most.
     *
     * @throws IllegalArgumentException for a round or node that cannot be a name
     */
    public void began(Lease lease, String round, String node) {
        LeaseName.check(round);
        LeaseName.check(node);
        writer.write(table.began(new LeaseKey(lease.name(), lease.holder(), lease.fence()), lease.slot(), round, node));
    }

    /**
     * Writes down how a run has ended just now, whether its begin could be written or not. It replaces what {@link #died} has
     * written. As {@link #began} in all else.
     */
    public void ended(RunEnd end) {
        writer.write(table.ended(end));
    }

    /**
     * Writes down that the run of a holder is found dead just now, unless that run has told of its own end. As {@link #began}
     * in all else.
     *
     * @param lease the name of its lease
     * @param counted whether its slot counts all the same; where the run itself has written that at its begin, this holds
     */
    public void died(String round, String lease, DeadHolder dead, boolean counted) {
        LeaseName.check(round);
        LeaseName.check(lease);
        writer.write(table.died(round, lease, dead, counted));
    }

    /**
     * The last runs of that round on all nodes, those that run now too, the newest first.
     *
     * @param most how many, 1 to 10,000
     * @throws IllegalArgumentException for another number, or what cannot be a name
     * @throws LeaseException if the database did not answer within five seconds or answered with an error
     */
    public List<RecordedRun> runs(String round, int most) {
        LeaseName.check(round);
        checkMost(most);
        return read(rest -> table.runsOf(round, most, rest));
    }

    /** As {@link #runs(String, int)}, of all rounds. */
    public List<RecordedRun> runs(int most) {
        checkMost(most);
        return read(rest -> table.runs(most, rest));
    }

    private static void checkMost(int most) {
        if (most < 1 || most > MOST_READ) {
            throw new IllegalArgumentException("most is " + most + ", but must be 1 to 10,000");
        }
    }

    private List<RecordedRun> read(HistoryTurns.Statement<List<RecordedRun>> statement) {
        try {
            return turns.await(Wiring.LONGEST_WAIT, statement);
        } catch (SQLException e) {
            throw new LeaseException(
                    "the run history could not be read: " + e.getMessage() + Hint.of(e, TableShape.RUN_HISTORY), e);
        }
    }

    /**
     * Deletes the runs that ended longer ago than that, and those that began longer ago and have not ended. It needs the
     * privilege to delete. May be called at any time, on any instance; in batches of 1,000 rows, each deleted by a statement
     * of its own.
     *
     * @param olderThan by the database's clock, 1 minute to 36,500 days
     * @return how many rows were deleted
     * @throws IllegalArgumentException for another age; names it and the rule
     * @throws LeaseException if the database did not answer a batch within five seconds or answered with an error; the
     *     batches before stay deleted
     */
    public long cleanUp(Duration olderThan) {
        CleanUp.Batch batch = (age, most) -> turns.await(Wiring.LONGEST_WAIT, rest -> table.deleteOld(age, most, rest));
        return new CleanUp("the run history", "olderThan", batch).run(olderThan);
    }
}
