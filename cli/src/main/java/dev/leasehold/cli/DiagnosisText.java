package dev.leasehold.cli;

import dev.leasehold.doctor.Diagnosis;
import dev.leasehold.doctor.Evidence;
import dev.leasehold.doctor.Finding;
import dev.leasehold.doctor.Server;
import dev.leasehold.doctor.Severity;
import java.util.ArrayList;
import java.util.List;

/** What the doctor has found, for people: the verdict, then the findings, the worst first. */
final class DiagnosisText {

    private static final String INDENT = "  ";

    private final Output output;

    DiagnosisText(Output output) {
        this.output = output;
    }

    void print(Diagnosis diagnosis) {
        output.line(verdict(diagnosis));
        for (Finding finding : diagnosis.findings()) {
            output.line("");
            print(finding);
        }
    }

    private String verdict(Diagnosis diagnosis) {
        long problems = count(diagnosis, Severity.PROBLEM);
        long risks = count(diagnosis, Severity.RISK);
        List<String> found = new ArrayList<>();
        if (problems > 0) {
            found.add(output.paint().in(Paint.Tone.BAD, counted(problems, "problem")));
        }
        if (risks > 0) {
            found.add(output.paint().in(Paint.Tone.WARNING, counted(risks, "risk")));
        }
        String verdict = found.isEmpty()
                ? output.paint().in(Paint.Tone.GOOD, "nothing that is a problem or a risk")
                : String.join(", ", found);
        Server server = diagnosis.server();
        return PlainText.inALine("PostgreSQL " + server.version() + ", database " + server.database()
                        + ", looked at as " + server.role())
                + ": " + verdict;
    }

    private static long count(Diagnosis diagnosis, Severity severity) {
        return diagnosis.findings().stream()
                .filter(finding -> finding.severity() == severity)
                .count();
    }

    private static String counted(long count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    private void print(Finding finding) {
        String title = PlainText.inALine(finding.title());
        boolean isBrief = finding.severity() == Severity.INFORMATION;
        output.line(word(finding.severity())
                + INDENT
                + (isBrief ? title : output.paint().bold(title)));
        printEvidence(finding.evidence());
        if (isBrief) {
            printBriefly(finding);
        } else {
            printParagraph("means:", finding.meaning());
            printParagraph("do:   ", finding.remedy());
        }
    }

    private String word(Severity severity) {
        return switch (severity) {
            case PROBLEM -> output.paint().in(Paint.Tone.BAD, "PROBLEM");
            case RISK -> output.paint().in(Paint.Tone.WARNING, "RISK");
            case INFORMATION -> output.paint().in(Paint.Tone.NOTE, "NOTE");
        };
    }

    private void printEvidence(Evidence evidence) {
        if (!evidence.rows().isEmpty()) {
            var table = new TextTable(INDENT, evidence.columns());
            evidence.rows().forEach(table::row);
            output.table(table);
        }
    }

    /** Nothing has to be done about it. */
    private void printBriefly(Finding finding) {
        printParagraph("", finding.meaning());
    }

    private void printParagraph(String heading, String text) {
        if (text.isBlank()) {
            return;
        }
        String first = INDENT + (heading.isEmpty() ? "" : heading + " ");
        List<String> lines = Paragraph.lines(PlainText.inLines(text), output.lineWidth() - first.length());
        String painted = INDENT + (heading.isEmpty() ? "" : output.paint().bold(heading) + " ");
        for (int i = 0; i < lines.size(); i++) {
            String begin = i == 0 ? painted : " ".repeat(first.length());
            output.line((begin + Paragraph.painted(lines.get(i), output.paint())).stripTrailing());
        }
    }
}
