package dev.leasehold.micrometer;

import dev.leasehold.Lease;
import dev.leasehold.LeaseException;
import dev.leasehold.Leases;
import dev.leasehold.rounds.Round;
import dev.leasehold.rounds.Rounds;
import dev.leasehold.rounds.Scope;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Real leases and rounds, one of each kind of fate: leases lost, taken over and not to be had, renewals and attempts that
 * fail; rounds that are done, fail, time out, are lost, given up and stopped, and slots that are skipped.
 */
final class Scene implements AutoCloseable {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration TENTH = Duration.ofMillis(100);

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final LeaseholdMeters meters = new LeaseholdMeters(registry);
    private final TestDatabase database = TestPostgres.freshDatabase();
    private final BreakableDataSource source = new BreakableDataSource(database.dataSource());
    private final Leases leases =
            Leases.on(source).renewEvery(TENTH).metrics(meters).build();

    private Scene() {}

    static Scene played() throws Exception {
        var scene = new Scene();
        scene.meters.bind(scene.leases);
        scene.playLeases();
        scene.playRoundsByHand();
        scene.playWantOfWorkers();
        scene.playStop();
        return scene;
    }

    PrometheusMeterRegistry registry() {
        return registry;
    }

    private Lease hold(String name) {
        return leases.tryAcquire(name).lease().orElseThrow();
    }

    private void playLeases() throws Exception {
        database.execute("""
                insert into leases (name, holder, expires_at) values
                  ('of-the-dead', 'dead', now() - interval '1 s'), ('theirs', 'other', now() + interval '1 h')
                """);
        hold("of-the-dead").release();
        leases.tryRun("theirs", lease -> {
            throw new AssertionError("two holders");
        });
        hold("deleted");
        hold("taken");
        hold("released");
        database.execute("delete from leases where name = 'deleted'");
        database.execute("update leases set holder = 'other', fence = fence + 1 where name = 'taken'");
        database.execute("update leases set expires_at = 'epoch' where name = 'released'");
        Await.until("three losses", () -> leases.held().isEmpty());
        hold("kept");
        source.broken(true);
        try {
            hold("unanswered");
        } catch (LeaseException expected) {
            var failed = registry.get("leasehold.leases.renewal.failed").timer();
            Await.until("a renewal that fails", () -> failed.count() > 0);
        }
        source.broken(false);
    }

    private void playRoundsByHand() throws Exception {
        var rounds = Rounds.on(leases)
                .node("node-a")
                .listener(meters)
                .add(Round.named("done").every(HOUR).work(context -> {}))
                .add(Round.named("failing").every(HOUR).scope(Scope.NODE).work(context -> {
                    throw new IllegalStateException("by the test");
                }))
                .add(Round.named("endless")
                        .every(HOUR)
                        .runTimeout(TENTH)
                        .work(context -> new CountDownLatch(1).await()))
                .add(Round.named("lost")
                        .every(HOUR)
                        .work(context -> database.execute("delete from leases where name = 'lost'")))
                .add(Round.named("overlong")
                        .every(TENTH.dividedBy(10))
                        .work(context -> TimeUnit.NANOSECONDS.sleep(TENTH.toNanos())))
                .byHand();
        meters.bind(rounds);
        rounds.status().forEach(status -> rounds.passDue(status.round()));
        database.execute("""
                update leases set holder = 'dead', deaths = 3, expires_at = now() - interval '1 s' where name = 'done'
                """);
        rounds.passDue("done");
        rounds.close();
    }

    private void playWantOfWorkers() throws Exception {
        var rounds = Rounds.on(leases)
                .listener(meters)
                .workers(1)
                .add(Round.named("waiting").every(TENTH.dividedBy(10)).work(context -> {}))
                .add(Round.named("long")
                        .every(HOUR)
                        .work(context ->
                                TimeUnit.NANOSECONDS.sleep(TENTH.multipliedBy(5).toNanos())))
                .start();
        meters.bind(rounds);
        var skipped = registry.get("leasehold.rounds.skipped")
                .tags("round", "waiting", "reason", "no_worker")
                .counter();
        Await.until("slots skipped for want of a worker", () -> skipped.count() > 0);
        rounds.close();
    }

    private void playStop() throws Exception {
        var begun = new CountDownLatch(1);
        var rounds = Rounds.on(leases)
                .listener(meters)
                .add(Round.named("stopped").every(HOUR).work(context -> {
                    begun.countDown();
                    new CountDownLatch(1).await();
                }))
                .start();
        Await.until("it runs", () -> begun.getCount() == 0);
        rounds.stop(Duration.ZERO, Duration.ofSeconds(20));
    }

    @Override
    public void close() {
        leases.close();
    }
}
