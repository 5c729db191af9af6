package dev.leasehold.spring.actuate;

import dev.leasehold.doctor.Diagnosis;
import dev.leasehold.doctor.Finding;
import dev.leasehold.doctor.Severity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * What the doctor saw when it last looked at the database: down for a problem, up for anything less. Unknown before the first
 * look has ended, and if the last one could not look, for whether the database is away others tell; then the findings of the
 * one before stay with their age.
 *
 * <p>Of a finding only the title is shown: its evidence may hold queries of other applications. A title may name them, and as
 * all details it is shown to those that {@code management.endpoint.health.show-details} says.
 */
final class DoctorHealthIndicator extends AbstractHealthIndicator implements AutoCloseable {

    private static final int MOST_FINDINGS = 20;

    private final DoctorLooks looks;

    DoctorHealthIndicator(DoctorLooks looks) {
        super("what the doctor saw could not be told");
        this.looks = looks;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        DoctorLooks.Seen seen = looks.ask();
        if (seen.trouble().isPresent() || seen.diagnosis().isEmpty()) {
            health.unknown().withDetail("couldNotLook", seen.trouble().orElse("the first look has not ended yet"));
        } else if (seen.diagnosis().get().count(Severity.PROBLEM) > 0) {
            health.down();
        } else {
            health.up();
        }
        seen.diagnosis()
                .ifPresent(diagnosis -> tell(health, diagnosis, seen.age().toSeconds()));
    }

    private static void tell(Health.Builder health, Diagnosis diagnosis, long ageSeconds) {
        health.withDetail("lookedAt", diagnosis.lookedAt().toString())
                .withDetail("ageSeconds", ageSeconds)
                .withDetail("server", "PostgreSQL " + diagnosis.server().version())
                .withDetail("role", diagnosis.server().role())
                .withDetail("problems", diagnosis.count(Severity.PROBLEM))
                .withDetail("risks", diagnosis.count(Severity.RISK))
                .withDetail("information", diagnosis.count(Severity.INFORMATION))
                .withDetail("findings", findings(diagnosis));
    }

    private static List<Map<String, String>> findings(Diagnosis diagnosis) {
        return diagnosis.findings().stream()
                .limit(MOST_FINDINGS)
                .map(DoctorHealthIndicator::finding)
                .toList();
    }

    private static Map<String, String> finding(Finding finding) {
        var told = new LinkedHashMap<String, String>();
        told.put("kind", finding.kind().code());
        told.put("severity", finding.severity().name().toLowerCase(Locale.ROOT));
        told.put("title", finding.title());
        return told;
    }

    /** Ends the thread of the looks. */
    @Override
    public void close() {
        looks.close();
    }
}
