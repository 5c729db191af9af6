package dev.leasehold;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/** Fences transactions of the caller, on the caller's thread. Thread-safe. */
final class Fencing {

    private static final Duration LONGEST_PASS = Duration.ofSeconds(15);

    private final FenceTable table;
    private final Renewer renewer;
    private final DataSource dataSource;
    private final Duration lockWait;
    private final Duration socketBound;

    Fencing(FenceTable table, DataSource dataSource, Wiring wiring, Renewer renewer) {
        this.table = table;
        this.renewer = renewer;
        this.dataSource = dataSource;
        this.lockWait = wiring.bound().dividedBy(2);
        this.socketBound = wiring.bound().multipliedBy(2);
    }

    /** The source of the leases. */
    DataSource dataSource() {
        return dataSource;
    }

    void fence(Lease lease, Connection connection) {
        refuseWithoutTransaction(lease, connection, "fenced");
        lease.turns().letRenewalPass(longestPass(lease), lockWait);
        try {
            if (!SocketBound.within(socketBound, connection, () -> table.fence(connection, lease.key(), lockWait))) {
                throw stale(lease, "its row is gone, released or another's");
            }
        } catch (SQLException e) {
            throw failed(lease, "fenced", e);
        }
    }

    /**
     * As long as transactions that have the row locked may take, within reason: the caller has a connection meanwhile, whose session
     * the server ends when the fenced transaction has been idle for a ttl.
     */
    private static Duration longestPass(Lease lease) {
        Duration most = lease.terms().ttl().multipliedBy(3).dividedBy(4);
        return most.compareTo(LONGEST_PASS) < 0 ? most : LONGEST_PASS;
    }

    /** The lease leaves the renewal: its row is locked until the end of the transaction, and released after it. */
    void finish(Lease lease, Connection connection) {
        refuseWithoutTransaction(lease, connection, "finished");
        if (!lease.turns().beginFinish()) {
            throw new IllegalStateException("lease " + lease.name()
                    + " is being finished by another transaction at this moment, which waits for this one to end");
        }
        boolean isFinished = false;
        Optional<Renewing> renewing = renewer.remove(lease);
        try {
            isFinished = SocketBound.within(
                    socketBound,
                    connection,
                    () -> table.finish(connection, lease.key(), lease.slotToCount(), lockWait));
            if (!isFinished) {
                throw stale(lease, "its row is gone, released or another's");
            }
        } catch (SQLException e) {
            throw failed(lease, "finished", e);
        } finally {
            lease.turns().endFinish(isFinished);
            if (!isFinished) {
                renewing.ifPresent(renewer::resume);
            }
        }
    }

    <T, E extends Exception> T call(Lease lease, DataSource source, FencedCall<T, E> work) throws E {
        refuseEnded(lease);
        try (var transaction = FencedTransaction.begin(
                source, table, lease.key(), lease.terms().ttl())) {
            T answer = worked(lease, transaction.connection(), work);
            FenceTable.End end = transaction.end();
            if (!end.isSame()) {
                throw new IllegalStateException("the work under lease " + lease.name()
                        + " has ended the fenced transaction itself: what it committed was not fenced");
            }
            if (!end.isFinished()) {
                fence(lease, transaction.connection());
            }
            transaction.commit();
            if (end.isFinished()) {
                lease.turns().committed();
            }
            return answer;
        } catch (FencedTransaction.Failure e) {
            throw new LeaseException(
                    "the fenced transaction under lease " + lease.name() + " could not be " + e.operation() + ": "
                            + e.sqlException().getMessage() + Hint.of(e.sqlException()),
                    e.sqlException());
        }
    }

    /** Work that waits for something else between two statements finds the transaction gone, and must learn why. */
    private static <T, E extends Exception> T worked(Lease lease, Connection connection, FencedCall<T, E> work)
            throws E {
        try {
            return work.call(connection);
        } catch (Throwable thrown) {
            if (SqlState.IDLE_IN_TRANSACTION_TIMEOUT.isIn(thrown)) {
                thrown.addSuppressed(new LeaseException(
                        "the server has ended the fenced transaction under lease " + lease.name() + Hint.of(thrown)));
            }
            throw thrown;
        }
    }

    private static void refuseWithoutTransaction(Lease lease, Connection connection, String done) {
        refuseEnded(lease);
        try {
            if (connection.getAutoCommit()) {
                throw new IllegalStateException(
                        "the connection is in autocommit mode, but a fence lasts only as long as a"
                                + " transaction: call setAutoCommit(false) first, and commit after the fence");
            }
        } catch (SQLException e) {
            throw failed(lease, done, e);
        }
    }

    private static void refuseEnded(Lease lease) {
        if (lease.standing().ended()) {
            throw stale(lease, "it is " + lease.state());
        }
        if (lease.hasInterruptedThisThread()) {
            throw stale(lease, "the work on this thread was interrupted, for its trust had ended");
        }
    }

    private static LeaseLostException stale(Lease lease, String why) {
        return new LeaseLostException(
                lease,
                "lease " + lease.name() + " (holder " + lease.holder() + ", fence " + lease.fence()
                        + ") fences nothing any more: " + why);
    }

    private static LeaseException failed(Lease lease, String done, SQLException e) {
        return new LeaseException(
                "lease " + lease.name() + " could not be " + done + ": "
                        + explained(e).orElse(e.getMessage() + Hint.of(e)),
                e);
    }

    /** What is no loss of the lease is called by its name. */
    private static Optional<String> explained(SQLException e) {
        if (SqlState.LOCK_NOT_AVAILABLE.isIn(e)) {
            return Optional.of("another transaction has its row locked; it need not be lost");
        }
        if (SqlState.SERIALIZATION_FAILURE.isIn(e)) {
            return Optional.of(
                    "its row was changed, by its renewal perhaps, after this transaction at repeatable read or"
                            + " serializable had begun; fence first there, or use read committed; it need not be lost");
        }
        if (SqlState.READ_ONLY_TRANSACTION.isIn(e)) {
            return Optional.of("the transaction is read-only, and a fence locks a row");
        }
        if (SqlState.UNDEFINED_TABLE.isIn(e)) {
            return Optional.of("there is no lease table here; the fence belongs into the database of the leases");
        }
        return Optional.empty();
    }
}
