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

    /** The cells of one column as people see them, in the order of the rows. */
    static List<String> column(String name, Finding finding) {
        Evidence evidence = finding.evidence();
        int index = evidence.columns().stream().map(Column::name).toList().indexOf(name);
        return evidence.rows().stream()
                .map(row -> Evidence.text(row.get(index)))
                .toList();
    }

    /** All cells as people see them. */
    static List<List<String>> rows(Finding finding) {
        return finding.evidence().rows().stream()
                .map(row -> row.stream().map(Evidence::text).toList())
                .toList();
    }
}
