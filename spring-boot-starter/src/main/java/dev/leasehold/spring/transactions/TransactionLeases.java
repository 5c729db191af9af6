package dev.leasehold.spring.transactions;

import dev.leasehold.Lease;
import dev.leasehold.spring.CurrentLease;
import java.util.ArrayList;
import java.util.List;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The leases that a transaction of this thread depends on. */
public final class TransactionLeases {

    private TransactionLeases() {}

    /**
     * Leaves the release of a lease to the end of the transaction that is under way on this thread, for what was done under it
     * is not there before its commit.
     *
     * @param release releases it, as far as the transaction is concerned
     * @return false if there is none: then the caller releases it
     */
    public static boolean releaseAfterTransaction(Lease lease, Runnable release) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.isSynchronizationActive()) {
            return false;
        }
        TransactionSynchronizationManager.registerSynchronization(new ReleaseAfterTransaction(lease, release));
        return true;
    }

    /** Those under which the thread works, and those that are released after its transaction. */
    public static List<Lease> ofThisThread() {
        List<Lease> leases = new ArrayList<>(CurrentLease.all());
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            for (TransactionSynchronization one : TransactionSynchronizationManager.getSynchronizations()) {
                if (one instanceof ReleaseAfterTransaction left && !leases.contains(left.lease())) {
                    leases.add(left.lease());
                }
            }
        }
        return leases;
    }

    private record ReleaseAfterTransaction(Lease lease, Runnable release) implements TransactionSynchronization {

        @Override
        public void afterCompletion(int status) {
            release.run();
        }
    }
}
