package dev.leasehold.benchmarks.scenario;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.benchmarks.harness.Bench;
import dev.leasehold.benchmarks.subject.Contender;
import dev.leasehold.benchmarks.subject.Hold;
import dev.leasehold.benchmarks.subject.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** One contender of each subject, each on a pool of its own. */
final class OpenContenders implements AutoCloseable {

    /** So long that no renewal falls into a measurement. */
    static final Duration LONG_TTL = Duration.ofHours(6);

    /** The row of a subject whose threads have a contender each, which they otherwise share. */
    static String apart(String label) {
        return label + ", an instance a thread";
    }

    private final Map<String, HikariDataSource> pools = new LinkedHashMap<>();
    private final Map<String, Contender> contenders = new LinkedHashMap<>();
    private final List<Contender> more = new ArrayList<>();

    OpenContenders(Bench bench) {
        this(bench.subjects(), bench::pool);
    }

    /** Those who only hold: a connection each will do. */
    static OpenContenders holders(Bench bench) {
        return new OpenContenders(bench.subjects(), () -> bench.lazyPool(""));
    }

    OpenContenders(List<Subject> subjects, Supplier<HikariDataSource> newPool) {
        for (Subject subject : subjects) {
            HikariDataSource pool = newPool.get();
            pools.put(subject.label(), pool);
            contenders.put(subject.label(), subject.contender(pool, LONG_TTL));
        }
    }

    Contender of(Subject subject) {
        return required(contenders, subject);
    }

    HikariDataSource pool(Subject subject) {
        return required(pools, subject);
    }

    /** So that no contender can answer from memory: one for all threads if it never does, else one for each. */
    List<Contender> eachThreadItsOwnIfNeeded(Subject subject, int threads) {
        if (!subject.refusesOwnThreadsFromMemory()) {
            return Collections.nCopies(threads, of(subject));
        }
        return eachThreadItsOwn(subject, threads);
    }

    /** One for each thread, all on the subject's pool. */
    List<Contender> eachThreadItsOwn(Subject subject, int threads) {
        List<Contender> own = IntStream.range(0, threads)
                .mapToObj(thread -> subject.contender(pool(subject), LONG_TTL))
                .toList();
        more.addAll(own);
        return own;
    }

    private static <T> T required(Map<String, T> all, Subject subject) {
        T found = all.get(subject.label());
        if (found == null) {
            throw new IllegalArgumentException(subject.label());
        }
        return found;
    }

    /** The same warm-up for every table: each name is held once. */
    void touch(List<String> names) throws Exception {
        for (Contender contender : contenders.values()) {
            touch(contender, names);
        }
    }

    static void touch(Contender contender, List<String> names) throws Exception {
        for (String name : names) {
            Hold hold = contender.tryAcquire(name).orElseThrow();
            hold.release();
        }
    }

    @Override
    public void close() {
        more.forEach(Contender::close);
        contenders.values().forEach(Contender::close);
        pools.values().forEach(HikariDataSource::close);
    }
}
