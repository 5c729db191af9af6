package dev.leasehold.spring.actuate;

import dev.leasehold.doctor.CouldNotLookException;
import dev.leasehold.doctor.Diagnosis;
import dev.leasehold.spring.database.DatabaseFailure;
import dev.leasehold.spring.database.SharedCall;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the database when somebody asks, one look at a time and at most one a period, on a thread of its own. Who asks
 * waits for none: the answer is what the last look saw, and how long ago. Thread-safe.
 */
final class DoctorLooks implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(DoctorLooks.class);

    /**
     * What is known.
     *
     * @param diagnosis of the last look that could look; empty before the first
     * @param lookedNanos when that began
     * @param trouble why the last look could not; empty if it could
     */
    record Seen(Optional<Diagnosis> diagnosis, long lookedNanos, Optional<String> trouble) {

        Duration age() {
            return Duration.ofNanos(System.nanoTime() - lookedNanos);
        }

        Seen with(String why) {
            return new Seen(diagnosis, lookedNanos, Optional.of(why));
        }
    }

    private final Supplier<Diagnosis> doctor;
    private final long everyNanos;
    private final long patienceNanos;
    private final SharedCall<Seen> look;
    private long dueNanos = System.nanoTime();
    private OptionalLong underWaySinceNanos = OptionalLong.empty();
    private Seen seen = new Seen(Optional.empty(), 0, Optional.empty());

    /**
     * For {@code doctor} to look.
     *
     * @param patience with a look that does not end: then what the one before saw is not known to be true any more
     */
    DoctorLooks(Supplier<Diagnosis> doctor, Duration every, Duration patience) {
        this.doctor = doctor;
        this.everyNanos = every.toNanos();
        this.patienceNanos = patience.toNanos();
        this.look = new SharedCall<>("leasehold-doctor", this::look);
    }

    synchronized Seen ask() {
        long nowNanos = System.nanoTime();
        if (nowNanos - dueNanos >= 0) {
            dueNanos = nowNanos + everyNanos;
            if (underWaySinceNanos.isEmpty()) {
                underWaySinceNanos = OptionalLong.of(nowNanos);
            }
            look.start();
        }
        return hangs(nowNanos) ? seen.with("a look hangs") : seen;
    }

    private boolean hangs(long nowNanos) {
        return underWaySinceNanos.isPresent() && nowNanos - underWaySinceNanos.getAsLong() > patienceNanos;
    }

    private Seen look() {
        long begunNanos = System.nanoTime();
        try {
            return saw(new Seen(Optional.of(doctor.get()), begunNanos, Optional.empty()));
        } catch (RuntimeException | Error e) {
            return failed(e);
        }
    }

    private synchronized Seen saw(Seen now) {
        underWaySinceNanos = OptionalLong.empty();
        seen = now;
        return now;
    }

    private synchronized Seen failed(Throwable failure) {
        String reason = failure instanceof CouldNotLookException told
                ? String.valueOf(told.getMessage())
                : DatabaseFailure.reason(failure);
        // one line for the first of many
        if (seen.trouble().isEmpty()) {
            log.warn("the doctor could not look: {}", reason, failure);
        }
        return saw(seen.with(reason));
    }

    @Override
    public void close() {
        look.close();
    }
}
