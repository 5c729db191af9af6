package dev.leasehold.doctor;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Wrapper;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What only the PostgreSQL JDBC driver knows of its connections. Asked by reflection: another driver may be there, or none. */
final class PgDriver {

    private static final String CONNECTION = "org.postgresql.PGConnection";
    private static final String STATEMENT = "org.postgresql.PGStatement";

    private PgDriver() {}

    /** Which server process the handshake told it to be. */
    static Optional<Integer> backendPid(Connection connection) {
        return call(connection, CONNECTION, "getBackendPID").map(Integer.class::cast);
    }

    /** After how many executions a statement is prepared on the server; 0 for never. */
    static Optional<Integer> prepareThreshold(Connection connection) {
        return call(connection, CONNECTION, "getPrepareThreshold").map(Integer.class::cast);
    }

    /** A doctor that looks through the same connection again and again leaves no prepared statements behind on it. */
    static void neverPrepare(Statement statement) {
        call(statement, STATEMENT, "setPrepareThreshold", 0);
    }

    private static Optional<Object> call(Wrapper on, String type, String method, Integer... arguments) {
        return Stream.of(
                        Optional.ofNullable(on.getClass().getClassLoader()),
                        Optional.ofNullable(Thread.currentThread().getContextClassLoader()),
                        Optional.ofNullable(PgDriver.class.getClassLoader()))
                .flatMap(Optional::stream)
                .distinct()
                .map(loader -> call(on, loader, type, method, arguments))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<Object> call(
            Wrapper on, ClassLoader loader, String type, String method, Integer... arguments) {
        try {
            Class<?> driverType = Class.forName(type, false, loader);
            if (!on.isWrapperFor(driverType)) {
                return Optional.empty();
            }
            Class<?>[] types = Stream.of(arguments).map(argument -> int.class).toArray(Class<?>[]::new);
            @Nullable
            Object answer = driverType.getMethod(method, types).invoke(on.unwrap(driverType), (Object[]) arguments);
            return Optional.ofNullable(answer);
        } catch (ReflectiveOperationException | LinkageError | SQLException e) {
            return Optional.empty(); // another driver, another version of it, or a pool that does not let through to it
        }
    }
}
