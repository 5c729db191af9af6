package dev.leasehold.rounds;

import dev.leasehold.LeaseException;
import dev.leasehold.internal.SafeLog;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells of work that threw. A throwable may throw itself when it is asked for its message. */
record RoundFailure(String leaseName, Instant slot, RoundOutcome outcome) {

    private static final Logger log = LoggerFactory.getLogger(Rounds.class);

    /** What somebody has to look at with its stack, the rest in a line. */
    void log(Throwable thrown) {
        try {
            switch (outcome) {
                case STOPPED -> log.info("round {} of slot {} was stopped: {}", leaseName, slot, text(thrown));
                case LOST -> log.warn("round {} of slot {} gave up: {}", leaseName, slot, text(thrown));
                case TIMED_OUT -> log.warn("round {} of slot {} timed out: {}", leaseName, slot, text(thrown));
                case DONE, FAILED, GIVEN_UP, DIED ->
                    log.error("round {} of slot {} {}: its work threw", leaseName, slot, outcome, thrown);
            }
        } catch (Throwable unspeakable) {
            SafeLog.tell(() -> log.error(
                    "round {} of slot {} {}: its work threw {}",
                    leaseName,
                    slot,
                    outcome,
                    thrown.getClass().getName()));
        }
    }

    /** With what this library has added to it. */
    static String text(Throwable thrown) {
        try {
            var text = new StringBuilder(thrown.toString());
            for (Throwable added : thrown.getSuppressed()) {
                if (added instanceof LeaseException && !(thrown instanceof LeaseException)) {
                    text.append("; ").append(added.getMessage());
                }
            }
            return text.toString();
        } catch (Throwable unspeakable) {
            return thrown.getClass().getName();
        }
    }
}
