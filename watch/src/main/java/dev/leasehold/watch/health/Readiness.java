package dev.leasehold.watch.health;

import dev.leasehold.spring.database.DatabaseReadiness;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Whether this instance can serve, answered within a second whatever the pool and the database do.
 *
 * <p>Migrations need no reason of their own: they are done, and their lock is gone, before the web server listens.
 */
@Component
final class Readiness {

    private final DatabaseReadiness database;
    private volatile boolean shuttingDown;

    Readiness(DatabaseReadiness database) {
        this.database = database;
    }

    Verdict ask() throws InterruptedException {
        if (shuttingDown) {
            return Verdict.unready("shutting down", "this instance is being stopped");
        }
        var answer = database.ask();
        return answer.isReady()
                ? Verdict.ready()
                : Verdict.unready(answer.reason().orElseThrow().words(), answer.detail());
    }

    @EventListener(ContextClosedEvent.class)
    void shuttingDown() {
        shuttingDown = true;
    }
}
