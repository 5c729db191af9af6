package dev.leasehold.watch.doctor;

import dev.leasehold.doctor.Diagnosis;
import dev.leasehold.doctor.Finding;
import dev.leasehold.doctor.Severity;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.IntStream;

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
            List<Piece> meaning,
            List<Piece> remedy) {}

    /** Of a text: what stands between two backquotes is code. */
    record Piece(String text, boolean isCode) {

        static List<Piece> of(String text) {
            String[] pieces = text.split("`", -1);
            boolean isPaired = pieces.length % 2 == 1;
            return isPaired
                    ? IntStream.range(0, pieces.length)
                            .mapToObj(i -> new Piece(pieces[i], i % 2 == 1))
                            .toList()
                    : List.of(new Piece(text, false));
        }
    }

    static DoctorView of(Diagnosis diagnosis) {
        var server = diagnosis.server();
        List<FindingView> information = findings(diagnosis, true);
        return new DoctorView(
                verdict(count(diagnosis, Severity.PROBLEM), count(diagnosis, Severity.RISK)),
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

    private static long count(Diagnosis diagnosis, Severity severity) {
        return diagnosis.findings().stream()
                .filter(finding -> finding.severity() == severity)
                .count();
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
        return new FindingView(
                severity(finding.severity()),
                finding.title(),
                finding.evidence().columns(),
                finding.evidence().rows(),
                Piece.of(finding.meaning()),
                Piece.of(finding.remedy()));
    }

    private static Status severity(Severity severity) {
        return switch (severity) {
            case PROBLEM -> new Status("bad", "problem");
            case RISK -> new Status("warn", "risk");
            case INFORMATION -> new Status("off", "information");
        };
    }
}
