package dev.leasehold.spring.database;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Shows a {@link DatabaseReadiness} among an application's health. */
final class DatabaseReadinessHealthIndicator extends AbstractHealthIndicator {

    private final DatabaseReadiness readiness;

    DatabaseReadinessHealthIndicator(DatabaseReadiness readiness) {
        this.readiness = readiness;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        Readiness answer;
        try {
            answer = readiness.ask();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            health.unknown().withDetail("detail", "interrupted while it waited");
            return;
        }
        if (answer.isReady()) {
            health.up();
        } else {
            health.down();
        }
        answer.reason()
                .ifPresent(reason -> health.withDetail("reason", reason.words())
                        .withDetail("detail", answer.detail())
                        .withDetail("failures", answer.failures()));
    }
}
