package dev.leasehold.benchmarks.subject;

import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.SystemClock;
import com.github.kagkarlsson.scheduler.TaskRepository;
import com.github.kagkarlsson.scheduler.TaskResolver;
import com.github.kagkarlsson.scheduler.event.SchedulerListeners;
import com.github.kagkarlsson.scheduler.jdbc.JdbcTaskRepository;
import com.github.kagkarlsson.scheduler.task.Execution;
import com.github.kagkarlsson.scheduler.task.ScheduledTaskInstance;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * What db-scheduler does to run one execution on one instance only, by the calls its scheduler makes on its own repository:
 * read the execution, pick it, beat, reschedule it. It has no locks to acquire, and no other way to pick by name.
 */
public final class DbScheduler implements Subject {

    public static final String LABEL = "db-scheduler's pick";

    private static final String TABLE = "scheduled_tasks";
    private static final String TASK = "benchmark";
    private static final Instant DUE = Instant.parse("2000-01-01T00:00:00Z");

    private static final String CREATE = """
            create table scheduled_tasks (
              task_name text not null,
              task_instance text not null,
              task_data bytea,
              execution_time timestamptz not null,
              picked boolean not null,
              picked_by text,
              last_success timestamptz,
              last_failure timestamptz,
              consecutive_failures int,
              last_heartbeat timestamptz,
              version bigint not null,
              priority smallint,
              primary key (task_name, task_instance)
            )
            """;

    @Override
    public String label() {
        return LABEL;
    }

    @Override
    public Optional<String> table() {
        return Optional.of(TABLE);
    }

    @Override
    public void createTable(DataSource dataSource) throws SQLException {
        Statements.update(dataSource, CREATE);
        Statements.update(dataSource, "create index on scheduled_tasks (execution_time)");
        Statements.update(dataSource, "create index on scheduled_tasks (last_heartbeat)");
    }

    @Override
    public Contender contender(DataSource pool, Duration ttl) {
        var clock = new SystemClock();
        var task = Tasks.oneTime(TASK).execute((instance, context) -> {});
        var repository = new JdbcTaskRepository(
                pool,
                false,
                TABLE,
                new TaskResolver(SchedulerListeners.NOOP, clock, List.of(task)),
                new SchedulerName.Fixed(UUID.randomUUID().toString()),
                false,
                clock);
        return new Instance(repository, ttl);
    }

    @Override
    public boolean isPeerLibrary() {
        return true;
    }

    private record Instance(TaskRepository repository, Duration ttl) implements Contender {

        @Override
        public Optional<Hold> tryAcquire(String name) {
            Optional<Execution> found = repository.getExecution(TASK, name);
            if (found.isEmpty()) {
                repository.createIfNotExists(new ScheduledTaskInstance(new TaskInstance<Void>(TASK, name), DUE));
                found = repository.getExecution(TASK, name);
            }
            return found.map(this::revivedIfDead)
                    .filter(execution -> !execution.isPicked())
                    .flatMap(execution -> repository.pick(execution, Instant.now()))
                    .map(picked -> new Picked(repository, picked));
        }

        /** As its scheduler does with an execution whose beats have stopped. */
        private Execution revivedIfDead(Execution execution) {
            Instant now = Instant.now();
            if (!execution.isPicked() || execution.lastHeartbeat.isAfter(now.minus(ttl))) {
                return execution;
            }
            repository.reschedule(execution, DUE, execution.lastSuccess, now, execution.consecutiveFailures + 1);
            return repository.getExecution(TASK, execution.getId()).orElse(execution);
        }
    }

    private record Picked(TaskRepository repository, Execution execution) implements Hold {

        @Override
        public void renew() {
            if (!repository.updateHeartbeat(execution, Instant.now())) {
                throw new IllegalStateException("no heartbeat for " + execution);
            }
        }

        @Override
        public void release() {
            if (!repository.reschedule(execution, DUE, Instant.now(), execution.lastFailure, 0)) {
                throw new IllegalStateException("not rescheduled: " + execution);
            }
        }
    }
}
