package dev.leasehold.spring.transactions;

import dev.leasehold.Lease;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Fences each read-write transaction of one transaction manager, by the leases under which its thread works, as the last thing
 * before the commit: if one of them is lost, the commit fails with a {@link dev.leasehold.LeaseLostException} and all is rolled
 * back. Transactions on another database than the leases' are left alone. Thread-safe.
 *
 * <p>What JPA flushes in the commit itself comes after the fence, which lasts until the end of the transaction all the same.
 */
final class TransactionFence implements TransactionExecutionListener {

    private static final Logger log = LoggerFactory.getLogger(TransactionFence.class);

    private final String manager;
    private final Supplier<LeaseDatabase> database;
    private final AtomicBoolean hasWarned = new AtomicBoolean();

    TransactionFence(String manager, Supplier<LeaseDatabase> database) {
        this.manager = manager;
        this.database = database;
    }

    /** Also told of the end of a nested one: what that wrote is committed, and fenced, with the outer one. */
    @Override
    public void beforeCommit(TransactionExecution transaction) {
        if (!transaction.isNewTransaction() || transaction.isReadOnly()) {
            return;
        }
        List<Lease> leases = TransactionLeases.ofThisThread();
        if (leases.isEmpty()) {
            return;
        }
        Optional<Connection> connection = connection(transaction);
        if (connection.isPresent() && database.get().isThatOf(manager, connection.get())) {
            leases.forEach(lease -> lease.fence(connection.get()));
        }
    }

    /** JDBC and JPA managers let it be seen; of others it is not known whether they have one. */
    private Optional<Connection> connection(TransactionExecution transaction) {
        Optional<Connection> connection = JdbcConnection.of(transaction);
        if (connection.isPresent()) {
            return connection;
        }
        if (!hasWarned.getAndSet(true)) {
            log.warn(
                    "transactions of {} show no JDBC connection: those of exclusive work are not fenced by its lease",
                    manager);
        }
        return Optional.empty();
    }
}
