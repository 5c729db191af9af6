package dev.leasehold.benchmarks.scenario;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.benchmarks.harness.Bench;
import dev.leasehold.benchmarks.harness.Crew;
import dev.leasehold.benchmarks.harness.Median;
import dev.leasehold.benchmarks.report.Column;
import dev.leasehold.benchmarks.report.Table;
import dev.leasehold.benchmarks.subject.Contender;
import dev.leasehold.benchmarks.subject.Hold;
import dev.leasehold.benchmarks.subject.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** How long nobody works after the holder's process was killed. */
public final class Takeover implements Scenario {

    public static final String NAME = "takeover";
    public static final String SECONDS = "median, s";
    public static final String LONGEST = "longest, s";
    public static final String PART = "median, of the ttl";

    private static final Duration PAUSE = Duration.ofMillis(20);

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Table measure(Bench bench) throws Exception {
        List<Subject> subjects = bench.subjects();
        double[][] seconds = new double[subjects.size()][bench.sizes().deaths()];
        try (var open = new Successors(bench);
                var crew = new Crew(subjects.size())) {
            for (int death = 0; death < bench.sizes().deaths(); death++) {
                bench.progress()
                        .say(NAME + ": death " + (death + 1) + " of "
                                + bench.sizes().deaths());
                die(bench, open, crew, seconds, death);
            }
        }
        return table(bench, seconds);
    }

    private static void die(Bench bench, Successors open, Crew crew, double[][] seconds, int death) throws Exception {
        var holders = new ArrayList<HolderProcess>();
        String name = NAME + "-" + death;
        String url = bench.server().url(bench.server().database().port(), "");
        try {
            for (Subject subject : bench.subjects()) {
                holders.add(HolderProcess.start(subject, url, bench.sizes().ttl(), name));
            }
            for (HolderProcess holder : holders) {
                holder.awaitHeld();
            }
            // long enough for a renewal, and at another point between two of them each time
            long ttlMillis = bench.sizes().ttl().toMillis();
            TimeUnit.MILLISECONDS.sleep(ttlMillis * (4 + death % 3) / 12);
            crew.workTurns(1, (thread, turn) -> {
                long killed = System.nanoTime();
                holders.get(thread).kill();
                Hold hold = succeed(open.contender(thread), name);
                seconds[thread][death] = (System.nanoTime() - killed) / 1e9;
                hold.release();
            });
        } finally {
            holders.forEach(HolderProcess::close);
        }
    }

    private static Hold succeed(Contender contender, String name) throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (System.nanoTime() - end < 0) {
            Optional<Hold> hold = contender.tryAcquire(name);
            if (hold.isPresent()) {
                return hold.get();
            }
            TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
        }
        throw new IllegalStateException("nobody could take over within 2 min");
    }

    private static Table table(Bench bench, double[][] seconds) {
        double ttl = bench.sizes().ttl().toMillis() / 1e3;
        var rows = new ArrayList<Table.Row>();
        for (int i = 0; i < seconds.length; i++) {
            double median = Median.of(seconds[i]);
            double longest = Arrays.stream(seconds[i]).max().orElseThrow();
            rows.add(new Table.Row(bench.subjects().get(i).label(), List.of(median, longest, median / ttl)));
        }
        return new Table(
                NAME,
                "from kill -9 of the holder's process until another instance has the lease",
                List.of(new Column(SECONDS, 2), new Column(LONGEST, 2), new Column(PART, 2)),
                rows,
                List.of(
                        "Made comparable: a ttl of " + ttl
                                + " s for all, renewed every quarter of it, and asked for every " + PAUSE.toMillis()
                                + " ms.",
                        "The advisory lock goes with the socket, which the kernel of a dead process closes at once; it does"
                                + " not when a machine or a network dies: then TCP keep-alive decides, two hours by"
                                + " default."));
    }

    /** Who takes over, each on a pool of its own. */
    private static final class Successors implements AutoCloseable {

        private final List<HikariDataSource> pools = new ArrayList<>();
        private final List<Contender> contenders = new ArrayList<>();

        Successors(Bench bench) {
            for (Subject subject : bench.subjects()) {
                HikariDataSource pool = bench.lazyPool("");
                pools.add(pool);
                contenders.add(subject.contender(pool, bench.sizes().ttl()));
            }
        }

        Contender contender(int index) {
            return contenders.get(index);
        }

        @Override
        public void close() {
            contenders.forEach(Contender::close);
            pools.forEach(HikariDataSource::close);
        }
    }
}
