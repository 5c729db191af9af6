package dev.leasehold;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;

/** Looks after tables, each on a connection of its own and no longer than a bound. */
record SchemaLook(DataSource dataSource, Lane lane) {

    private static final Duration BOUND = Duration.ofSeconds(30);

    /** What is asked on a connection. */
    interface Question {
        String on(Connection connection) throws SQLException;
    }

    void after(TableSchema schema, SchemaMode mode) throws SQLException {
        switch (mode) {
            case CREATE -> ask(schema::create);
            case VALIDATE ->
                ask(connection -> {
                    schema.validate(connection);
                    return "";
                });
            case NONE -> {
                // Nobody asked for a look.
            }
        }
    }

    /** Waits for the answer. */
    String ask(Question question) throws SQLException {
        var attempt = new Attempt<String>(dataSource, BOUND, (connection, self) -> {
            var answer = new AtomicReference<String>("");
            OwnTransaction.outsideTransactions(connection, () -> answer.set(question.on(connection)));
            return Objects.requireNonNull(answer.get());
        });
        return lane.await(attempt, BOUND);
    }
}
