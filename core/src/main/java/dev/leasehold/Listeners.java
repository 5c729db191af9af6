package dev.leasehold;

import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells every listener; what one throws is logged and keeps nothing from the others. */
final class Listeners {

    private static final Logger log = LoggerFactory.getLogger(Listeners.class);

    private final List<LeaseListener> all;

    Listeners(List<LeaseListener> all) {
        this.all = List.copyOf(all);
    }

    void tell(Lease lease, Consumer<LeaseListener> event) {
        for (LeaseListener listener : all) {
            try {
                event.accept(listener);
            } catch (Throwable thrown) {
                log.error("a listener of lease {} threw", lease.name(), thrown);
            }
        }
    }
}
