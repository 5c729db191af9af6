package dev.leasehold.benchmarks.harness;

import dev.leasehold.testkit.ForwardingDataSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Counts the statements that are executed on its connections, and times them while that is asked for. Thread-safe. */
public final class MeteredDataSource extends ForwardingDataSource {

    /** When it was sent, and how long until its answer was there. */
    public record Execution(long sentNanos, long nanos) {}

    private final LongAdder statements = new LongAdder();
    private final List<Execution> executions = new CopyOnWriteArrayList<>();
    private final AtomicBoolean timing = new AtomicBoolean();

    private volatile DataSource target;

    public MeteredDataSource(DataSource target) {
        super(target);
        this.target = target;
    }

    /** From now on its connections come from there. */
    public void switchTo(DataSource other) {
        target = other;
    }

    public long statements() {
        return statements.sum();
    }

    /** From now on; what was timed before is forgotten. */
    public void time() {
        executions.clear();
        timing.set(true);
    }

    public List<Execution> executions() {
        return List.copyOf(executions);
    }

    @Override
    public Connection getConnection() throws SQLException {
        return wrapped(target.getConnection(), Connection.class);
    }

    private <T> T wrapped(T target, Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> invoke(target, method, arguments)));
    }

    private @Nullable Object invoke(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        if (target instanceof Statement && method.getName().startsWith("execute")) {
            return executed(target, method, arguments);
        }
        Object result = passedOn(target, method, arguments);
        return result == null ? null : inner(result, method.getReturnType()).orElse(result);
    }

    private @Nullable Object executed(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        statements.increment();
        long sent = System.nanoTime();
        Object result = passedOn(target, method, arguments);
        if (timing.get()) {
            executions.add(new Execution(sent, System.nanoTime() - sent));
        }
        return result;
    }

    private <T> Optional<Object> inner(Object result, Class<T> type) {
        return Statement.class.isAssignableFrom(type)
                ? Optional.of(wrapped(type.cast(result), type))
                : Optional.empty();
    }

    private static @Nullable Object passedOn(Object target, Method method, Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
