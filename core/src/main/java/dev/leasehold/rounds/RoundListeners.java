package dev.leasehold.rounds;

import dev.leasehold.internal.SafeLog;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells every listener at once; what one throws is logged and keeps nothing from the others. Thread-safe. */
final class RoundListeners {

    private static final Logger log = LoggerFactory.getLogger(Rounds.class);

    private final List<RoundListener> all;

    RoundListeners(List<RoundListener> all) {
        this.all = List.copyOf(all);
    }

    void tell(String round, Consumer<RoundListener> event) {
        for (RoundListener listener : all) {
            try {
                event.accept(listener);
            } catch (Throwable thrown) {
                SafeLog.error(log, "a listener of round " + round + " threw", thrown);
            }
        }
    }
}
