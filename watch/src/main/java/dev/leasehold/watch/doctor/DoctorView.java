package dev.leasehold.watch.doctor;

import dev.leasehold.doctor.Column;
import dev.leasehold.doctor.Diagnosis;
import dev.leasehold.doctor.Evidence;
import dev.leasehold.doctor.Finding;
import dev.leasehold.doctor.Severity;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * What the template prints: texts only, so that the template decides nothing.
 *
 * @param findings problems and risks
 * @param information what is good to know, folded
 */
record DoctorView(
        Status verdict,
        String server,
        String lookedAt,
        List<FindingView> findings,
        String informationSummary,
        List<FindingView> information) {

    /** A word and its {@code kind}, which chooses colour and sign: good, bad, warn or off. */
    record Status(String kind, String text) {}

    record FindingView(
            Status severity,
            String title,
            List<String> columns,
            List<List<String>> rows,
            String leftOut,
            String meaning,
            String now,
            List<String> sql,
            String forGood) {}

    static DoctorView of(Diagnosis diagnosis) {
        var server = diagnosis.server();
        List<FindingView> information = findings(diagnosis, true);
        return new DoctorView(
                verdict(diagnosis.count(Severity.PROBLEM), diagnosis.count(Severity.RISK)),
                "PostgreSQL " + server.version() + " as role " + server.role() + ", in database " + server.database(),
                diagnosis.lookedAt().truncatedTo(ChronoUnit.SECONDS).toString(),
                findings(diagnosis, false),
                counted(information.size(), "finding") + " for information",
                information);
    }

    private static Status verdict(long problems, long risks) {
        if (problems > 0) {
            return new Status("bad", counted(problems, "problem") + (risks > 0 ? ", " + counted(risks, "risk") : ""));
        }
        return risks > 0 ? new Status("warn", counted(risks, "risk")) : new Status("good", "no problem and no risk");
    }

    private static String counted(long number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }

    private static List<FindingView> findings(Diagnosis diagnosis, boolean isInformation) {
        return diagnosis.findings().stream()
                .filter(finding -> (finding.severity() == Severity.INFORMATION) == isInformation)
                .map(DoctorView::finding)
                .toList();
    }

    private static FindingView finding(Finding finding) {
        Evidence evidence = finding.evidence();
        return new FindingView(
                severity(finding.severity()),
                finding.title(),
                evidence.columns().stream().map(Column::heading).toList(),
                evidence.rows().stream()
                        .map(row -> row.stream().map(Evidence::text).toList())
                        .toList(),
                evidence.leftOut() > 0 ? "... and " + evidence.leftOut() + " more" : "",
                finding.meaning(),
                finding.remedy().now(),
                finding.remedy().sql(),
                finding.remedy().forGood());
    }

    private static Status severity(Severity severity) {
        return switch (severity) {
            case PROBLEM -> new Status("bad", "problem");
            case RISK -> new Status("warn", "risk");
            case INFORMATION -> new Status("off", "information");
        };
    }
}
