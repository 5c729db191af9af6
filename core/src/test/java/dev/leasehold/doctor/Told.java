package dev.leasehold.doctor;

import java.util.List;
import java.util.stream.Collectors;

/** What a look has told, for tests. */
final class Told {

    private Told() {}

    static List<Finding> of(Diagnosis diagnosis, FindingKind kind) {
        return diagnosis.findings().stream()
                .filter(finding -> finding.kind() == kind)
                .toList();
    }

    /** The one finding of that kind whose title contains the text. */
    static Finding the(FindingKind kind, String title, Diagnosis diagnosis) {
        return the(title, of(diagnosis, kind));
    }

    static Finding the(String title, List<Finding> findings) {
        List<Finding> found = findings.stream()
                .filter(finding -> finding.title().contains(title))
                .toList();
        if (found.size() != 1) {
            throw new AssertionError("not one \"" + title + "\" in\n" + text(findings));
        }
        return found.get(0);
    }

    static String text(List<Finding> findings) {
        return findings.stream()
                .map(finding -> finding.severity() + " " + finding.kind() + ": " + finding.title() + "\n    "
                        + Found.rows(finding) + "\n    " + finding.meaning()
                        + "\n    "
                        + finding.remedy())
                .collect(Collectors.joining("\n"));
    }
}
