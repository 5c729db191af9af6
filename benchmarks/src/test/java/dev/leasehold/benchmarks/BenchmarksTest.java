package dev.leasehold.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.benchmarks.goals.Goal;
import dev.leasehold.benchmarks.harness.Bench;
import dev.leasehold.benchmarks.harness.Crew;
import dev.leasehold.benchmarks.harness.Sizes;
import dev.leasehold.benchmarks.report.Table;
import dev.leasehold.benchmarks.scenario.Connections;
import dev.leasehold.benchmarks.scenario.Renewal;
import dev.leasehold.benchmarks.scenario.Scenario;
import dev.leasehold.benchmarks.subject.Contender;
import dev.leasehold.benchmarks.subject.Hold;
import dev.leasehold.benchmarks.subject.Subject;
import dev.leasehold.benchmarks.subject.Subjects;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BenchmarksTest {

    private static final Duration TTL = Duration.ofMinutes(5);
    private static final int INSTANCES = 4;

    @Test
    void everySubjectLetsOneInAtATime() throws Exception {
        TestDatabase database = TestPostgres.freshDatabase();
        for (Subject subject : Subjects.ALL) {
            subject.createTable(database.dataSource());
            var inside = new AtomicInteger();
            var most = new AtomicInteger();
            var times = new AtomicInteger();
            try (var instances = new Instances(subject, database);
                    var crew = new Crew(INSTANCES)) {
                crew.workFor(Duration.ofMillis(300), (thread, turn) -> {
                    Optional<Hold> hold = instances.all.get(thread).tryAcquire("contended");
                    if (hold.isPresent()) {
                        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        times.incrementAndGet();
                        TimeUnit.MICROSECONDS.sleep(200);
                        inside.decrementAndGet();
                        hold.get().release();
                    }
                });
            }
            assertThat(most).as(subject.label()).hasValue(1);
            assertThat(times).as(subject.label()).hasPositiveValue();
        }
    }

    @Test
    void everySubjectRefusesWhatAnotherHoldsUntilItIsReleased() throws Exception {
        TestDatabase database = TestPostgres.freshDatabase();
        for (Subject subject : Subjects.ALL) {
            subject.createTable(database.dataSource());
            try (var instances = new Instances(subject, database)) {
                Contender one = instances.all.get(0);
                Contender other = instances.all.get(1);
                Hold hold = one.tryAcquire("name").orElseThrow();
                assertThat(other.tryAcquire("name")).as(subject.label()).isEmpty();
                assertThat(other.tryAcquire("another name")).as(subject.label()).isPresent();
                hold.release();
                assertThat(other.tryAcquire("name")).as(subject.label()).isPresent();
            }
        }
    }

    @Test
    void everyScenarioGivesEveryFigure() throws Exception {
        var said = new ArrayList<String>();
        Report report = new Run(Sizes.tiny(), 1, said::add).report(List.of(), List.of());

        assertThat(report.figures().tables())
                .extracting(Table::scenario)
                .containsExactlyElementsOf(
                        Run.SCENARIOS.stream().map(Scenario::name).toList());
        for (Table table : report.figures().tables()) {
            assertThat(table.rows()).as(table.scenario()).allSatisfy(row -> {
                boolean mayRunOut = table.scenario().equals(Connections.NAME);
                assertThat(row.values())
                        .as(row.label())
                        .allSatisfy(value ->
                                assertThat(mayRunOut || isFigure(value)).isTrue());
            });
            assertThat(table.rows()).as(table.scenario()).hasSizeGreaterThanOrEqualTo(Subjects.ALL.size());
        }
        assertThat(report.figures().value(Renewal.NAME, Renewal.row(Renewal.GENERIC, 20), Renewal.STATEMENTS))
                .hasValue(1);
        assertThat(report.markdown()).contains("### Goals", "### takeover");
        assertThat(report.json()).contains("\"goals\"", "\"takeover\"");
        assertThat(report.goals()).extracting(Goal::verdict).contains(Goal.Verdict.YES);
        assertThat(said).isNotEmpty();
    }

    private static boolean isFigure(double value) {
        return Double.isFinite(value) && value >= 0;
    }

    /** Several contenders, each on a pool of its own. */
    private static final class Instances implements AutoCloseable {

        private final List<HikariDataSource> pools = new ArrayList<>();
        private final List<Contender> all = new ArrayList<>();

        Instances(Subject subject, TestDatabase database) {
            for (int i = 0; i < INSTANCES; i++) {
                HikariDataSource pool = Bench.poolOf(database.jdbcUrl());
                pools.add(pool);
                all.add(subject.contender(pool, TTL));
            }
        }

        @Override
        public void close() {
            all.forEach(Contender::close);
            pools.forEach(HikariDataSource::close);
        }
    }
}
