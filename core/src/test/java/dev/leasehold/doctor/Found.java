package dev.leasehold.doctor;

import java.util.List;

/** Picks out of a diagnosis what a test is about. */
final class Found {

    private Found() {}

    static List<Finding> of(FindingKind kind, Diagnosis diagnosis) {
        return diagnosis.findings().stream()
                .filter(finding -> finding.kind() == kind)
                .toList();
    }

    /** The cells of one column, in the order of the rows. */
    static List<String> column(String name, Finding finding) {
        Evidence evidence = finding.evidence();
        int index = evidence.columns().indexOf(name);
        return evidence.rows().stream().map(row -> row.get(index)).toList();
    }
}
