package dev.leasehold.watch.cluster;

import dev.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Looks again and again at what must hold all the time: readiness of the living, and connections of each instance. */
final class Observer {

    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final int LOOKS_IN_A_ROW = 5;

    private final TestDatabase database;
    private final Deque<Map<String, Long>> lastCounts = new ArrayDeque<>();
    private final Collection<Instance> expectedReady = new CopyOnWriteArrayList<>();
    private final List<String> unready = new CopyOnWriteArrayList<>();
    private final Map<String, Long> mostConnections = new ConcurrentHashMap<>();
    private final AtomicInteger readinessLooks = new AtomicInteger();
    private final AtomicInteger connectionLooks = new AtomicInteger();
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(2);

    Observer(TestDatabase database) {
        this.database = database;
        var unused = threads.scheduleWithFixedDelay(this::look, 0, 100, TimeUnit.MILLISECONDS);
        var unusedToo = threads.scheduleWithFixedDelay(this::count, 0, 50, TimeUnit.MILLISECONDS);
    }

    void expectReady(Instance instance) {
        expectedReady.add(instance);
    }

    void expectNoMore(Instance instance) {
        expectedReady.remove(instance);
    }

    /** Each answer that was not 200 while it should have been. */
    List<String> unready() {
        return unready;
    }

    /** How often all that was looked at. */
    int looks() {
        return Math.min(readinessLooks.get(), connectionLooks.get());
    }

    /** The most connections that instance had at a few looks in a row. */
    long mostConnections(Instance instance) {
        return mostConnections.getOrDefault(instance.node() + "/" + instance.pid(), 0L);
    }

    private void look() {
        try {
            for (Instance instance : expectedReady) {
                String why = whyUnready(instance);
                if (!why.isEmpty() && expectedReady.contains(instance)) {
                    unready.add(instance + ": " + why);
                }
            }
            readinessLooks.incrementAndGet();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable thrown) {
            unready.add("readiness could not be looked at: " + thrown);
        }
    }

    /** That the pool is empty counts at once; what may be a busy machine does when it lasts. */
    private String whyUnready(Instance instance) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        String why = instance.unreadiness();
        while (!why.isEmpty()
                && !why.contains("pool empty")
                && expectedReady.contains(instance)
                && System.nanoTime() - end < 0) {
            why = instance.unreadiness();
        }
        return why;
    }

    private void count() {
        try (var connection = database.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("""
                        select application_name, count(*)
                          from pg_stat_activity
                         where datname = current_database()
                           and application_name like 'node-%'
                         group by application_name
                        """)) {
            Map<String, Long> now = new HashMap<>();
            while (rows.next()) {
                now.put(rows.getString(1), rows.getLong(2));
            }
            counted(now);
            connectionLooks.incrementAndGet();
        } catch (Throwable thrown) {
            unready.add("the connections could not be counted: " + thrown);
        }
    }

    /** The server may take a moment to end a connection that the instance has left, and has replaced. */
    private void counted(Map<String, Long> now) {
        lastCounts.addLast(now);
        if (lastCounts.size() > LOOKS_IN_A_ROW) {
            lastCounts.removeFirst();
            now.keySet()
                    .forEach(instance -> mostConnections.merge(
                            instance,
                            lastCounts.stream()
                                    .mapToLong(count -> count.getOrDefault(instance, 0L))
                                    .min()
                                    .orElse(0),
                            Math::max));
        }
    }

    void end() throws InterruptedException {
        threads.shutdownNow();
        threads.awaitTermination(10, TimeUnit.SECONDS);
    }
}
