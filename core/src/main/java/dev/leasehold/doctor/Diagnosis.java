package dev.leasehold.doctor;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * What one look at a database has found. Immutable.
 *
 * @param server which server it was, and as whom it was asked
 * @param lookedAt by the database's clock
 * @param findings the worst first
 */
public record Diagnosis(Server server, Instant lookedAt, List<Finding> findings) {

    public Diagnosis {
        findings = findings.stream()
                .sorted(Comparator.comparing(Finding::severity).thenComparing(Finding::kind))
                .toList();
    }

    /** Whether nothing was found that is a problem or a risk. */
    public boolean isWell() {
        return count(Severity.INFORMATION) == findings.size();
    }

    /** How many findings of that severity there are. */
    public long count(Severity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .count();
    }
}
