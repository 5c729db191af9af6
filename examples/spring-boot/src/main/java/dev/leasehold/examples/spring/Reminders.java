package dev.leasehold.examples.spring;

import dev.leasehold.rounds.RoundContext;
import dev.leasehold.spring.Round;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Needs no {@code @Scheduled}: once every ten seconds, on whichever instance comes first. */
@Component
class Reminders {

    private static final Logger log = LoggerFactory.getLogger(Reminders.class);

    @Round(name = "reminders", every = "10s")
    void send(RoundContext context) {
        log.info("reminders of slot {}", context.slot());
    }
}
