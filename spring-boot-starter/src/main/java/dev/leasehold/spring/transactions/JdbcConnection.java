package dev.leasehold.spring.transactions;

import java.sql.Connection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** The connection of a transaction of Spring's. */
public final class JdbcConnection {

    private JdbcConnection() {}

    /** JDBC and JPA managers let it be seen; of others it is not known whether they have one. */
    public static Optional<Connection> of(TransactionExecution transaction) {
        @Nullable
        Object inside = transaction instanceof DefaultTransactionStatus status && status.hasTransaction()
                ? status.getTransaction()
                : null;
        return inside instanceof JdbcTransactionObjectSupport jdbc && jdbc.hasConnectionHolder()
                ? Optional.of(jdbc.getConnectionHolder().getConnection())
                : Optional.empty();
    }
}
