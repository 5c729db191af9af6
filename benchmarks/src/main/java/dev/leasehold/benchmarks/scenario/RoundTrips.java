package dev.leasehold.benchmarks.scenario;

import dev.leasehold.benchmarks.harness.Bench;
import dev.leasehold.benchmarks.harness.CountedPool;
import dev.leasehold.benchmarks.report.Column;
import dev.leasehold.benchmarks.report.Table;
import dev.leasehold.benchmarks.subject.Contender;
import dev.leasehold.benchmarks.subject.Hold;
import dev.leasehold.benchmarks.subject.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** How often one has to wait for the server, counted on the wire. */
public final class RoundTrips implements Scenario {

    public static final String NAME = "round-trips";
    public static final String ACQUIRE = "acquire";
    public static final String RELEASE = "release";
    public static final String REFUSAL = "refusal";

    private static final String FREE = "round-trips-free";
    private static final String HELD = "round-trips-held";
    private static final int WARM_UPS = 12;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Table measure(Bench bench) throws Exception {
        bench.progress().say(NAME);
        var rows = new ArrayList<Table.Row>();
        try (var holders = OpenContenders.holders(bench)) {
            for (Subject subject : bench.subjects()) {
                Hold held = holders.of(subject).tryAcquire(HELD).orElseThrow();
                rows.add(counted(bench, subject));
                held.release();
            }
        }
        return new Table(
                NAME,
                "round trips to the server",
                List.of(new Column(ACQUIRE, 2), new Column(RELEASE, 2), new Column(REFUSAL, 2)),
                rows,
                List.of("Counted by a proxy between the pool and the server, on connections in use for a while."));
    }

    private static Table.Row counted(Bench bench, Subject subject) throws Exception {
        try (CountedPool pool = bench.countedPool("");
                Contender contender = subject.contender(pool.dataSource(), OpenContenders.LONG_TTL)) {
            for (int i = 0; i < WARM_UPS; i++) {
                contender.tryAcquire(FREE).orElseThrow().release();
                refused(contender);
            }
            pool.awaitFull();
            double acquired = 0;
            double released = 0;
            double refused = 0;
            int times = bench.sizes().attempts();
            for (int i = 0; i < times; i++) {
                TimeUnit.MILLISECONDS.sleep(2); // so that the counted slots, a millisecond long, are due
                long before = pool.roundTrips();
                Hold hold = contender.tryAcquire(FREE).orElseThrow();
                long held = pool.roundTrips();
                hold.release();
                long free = pool.roundTrips();
                refused(contender);
                acquired += held - before;
                released += free - held;
                refused += pool.roundTrips() - free;
            }
            return new Table.Row(subject.label(), List.of(acquired / times, released / times, refused / times));
        }
    }

    private static void refused(Contender contender) throws Exception {
        if (contender.tryAcquire(HELD).isPresent()) {
            throw new IllegalStateException("acquired what another holds");
        }
    }
}
