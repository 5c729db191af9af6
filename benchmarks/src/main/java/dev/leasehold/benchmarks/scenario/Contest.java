package dev.leasehold.benchmarks.scenario;

import dev.leasehold.benchmarks.harness.Crew;
import dev.leasehold.benchmarks.harness.LockWatch;
import dev.leasehold.benchmarks.harness.Server;
import dev.leasehold.benchmarks.subject.Contender;
import dev.leasehold.benchmarks.subject.Hold;
import dev.leasehold.benchmarks.subject.Subject;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/** The instances of one subject that ask at the same moment, again and again. */
final class Contest implements AutoCloseable {

    private static final String PRIZE = "herd";

    private final Server server;
    private final LockWatch watch;
    private final Crew crew;
    private final String label;
    private final List<Contender> contenders;

    /** Each has had the lease once, so that its row is there and all connections are open. */
    Contest(Server server, LockWatch watch, Crew crew, Subject subject, List<? extends DataSource> pools)
            throws Exception {
        this.server = server;
        this.watch = watch;
        this.crew = crew;
        this.label = subject.label();
        this.contenders = pools.stream()
                .map(pool -> subject.contender(pool, OpenContenders.LONG_TTL))
                .toList();
        for (Contender contender : contenders) {
            contender.tryAcquire(PRIZE).orElseThrow().release();
        }
    }

    /** One herd. The winner releases when all have their answer. */
    Map<String, Double> run() throws Exception {
        var before = new AtomicLong();
        var after = new AtomicLong();
        var start = new CyclicBarrier(contenders.size(), () -> before.set(nextTransactionId()));
        var end = new CyclicBarrier(contenders.size(), () -> after.set(nextTransactionId()));
        var winners = new AtomicInteger();
        var slowest = new AtomicLong();
        int waited = watch.countWaitingDuring(() -> crew.workTurns(1, (thread, turn) -> {
            start.await(1, TimeUnit.MINUTES);
            long sent = System.nanoTime();
            Optional<Hold> answer = contenders.get(thread).tryAcquire(PRIZE);
            long nanos = System.nanoTime() - sent;
            if (answer.isPresent()) {
                winners.incrementAndGet();
            } else {
                slowest.accumulateAndGet(nanos, Math::max);
            }
            end.await(1, TimeUnit.MINUTES);
            if (answer.isPresent()) {
                answer.get().release();
            }
        }));
        if (winners.get() != 1) {
            throw new IllegalStateException(label + " had " + winners + " winners at the same time");
        }
        return Map.of(
                Herd.IDS,
                (double) after.get() - before.get(),
                Herd.WAITED,
                (double) waited,
                Herd.LOSER,
                slowest.get() / 1e6);
    }

    private long nextTransactionId() {
        try {
            return server.nextTransactionId();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        contenders.forEach(Contender::close);
    }
}
