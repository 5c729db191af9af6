package dev.leasehold.cli;

import dev.leasehold.doctor.Column;
import dev.leasehold.doctor.Diagnosis;
import dev.leasehold.doctor.Evidence;
import dev.leasehold.doctor.Finding;
import dev.leasehold.doctor.Remedy;
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
        long problems = diagnosis.count(Severity.PROBLEM);
        long risks = diagnosis.count(Severity.RISK);
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

    private static String counted(long count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    private void print(Finding finding) {
        boolean isNote = finding.severity() == Severity.INFORMATION;
        Remedy remedy = finding.remedy();
        printTitle(finding, isNote);
        printEvidence(finding.evidence());
        printParagraph(isNote && remedy.equals(Remedy.none()) ? "" : "means:   ", finding.meaning());
        printParagraph("now:     ", remedy.now());
        remedy.sql().forEach(this::printSql);
        printParagraph("for good:", remedy.forGood());
    }

    /** On one line, unless a terminal would break it within a word. */
    private void printTitle(Finding finding, boolean isNote) {
        String title = PlainText.inALine(finding.title());
        int before = plainWord(finding.severity()).length() + INDENT.length();
        List<String> lines = output.terminal().isOutput()
                ? Paragraph.lines(title, output.terminal().size().columns() - before)
                : List.of(title);
        for (int i = 0; i < lines.size(); i++) {
            String begin = i == 0 ? word(finding.severity()) + INDENT : " ".repeat(before);
            output.line(begin + (isNote ? lines.get(i) : output.paint().bold(lines.get(i))));
        }
    }

    private String word(Severity severity) {
        String word = plainWord(severity);
        return switch (severity) {
            case PROBLEM -> output.paint().in(Paint.Tone.BAD, word);
            case RISK -> output.paint().in(Paint.Tone.WARNING, word);
            case INFORMATION -> output.paint().in(Paint.Tone.NOTE, word);
        };
    }

    private static String plainWord(Severity severity) {
        return severity == Severity.INFORMATION ? "NOTE" : severity.name();
    }

    private void printEvidence(Evidence evidence) {
        if (!evidence.rows().isEmpty()) {
            var table = new TextTable(
                    INDENT, evidence.columns().stream().map(Column::heading).toList());
            evidence.rows()
                    .forEach(row -> table.row(row.stream().map(Evidence::text).toList()));
            output.table(table);
        }
        if (evidence.leftOut() > 0) {
            output.line(INDENT + "... and " + evidence.leftOut() + " more");
        }
    }

    /** On a line of its own from its first column on, however long: what is copied is what is run. */
    private void printSql(String sql) {
        output.line(output.paint().in(Paint.Tone.NOTE, PlainText.inALine(sql)));
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
            output.line((begin + lines.get(i)).stripTrailing());
        }
    }
}
