package dev.leasehold.watch.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.doctor.Column;
import dev.leasehold.doctor.Diagnosis;
import dev.leasehold.doctor.Evidence;
import dev.leasehold.doctor.Finding;
import dev.leasehold.doctor.FindingKind;
import dev.leasehold.doctor.Remedy;
import dev.leasehold.doctor.Server;
import dev.leasehold.doctor.Severity;
import dev.leasehold.watch.doctor.DoctorView.FindingView;
import dev.leasehold.watch.doctor.DoctorView.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DoctorViewTest {

    private static DoctorView of(Severity... severities) {
        List<Finding> findings = Stream.of(severities)
                .map(severity -> new Finding(
                        FindingKind.CONNECTIONS, severity, "title", Evidence.none(), "meaning", Remedy.none()))
                .toList();
        return DoctorView.of(new Diagnosis(
                new Server("18.4", 18, "shop", "app"), Instant.parse("2026-11-29T20:00:00.123Z"), findings));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            PROBLEM RISK PROBLEM INFORMATION | bad  | 2 problems, 1 risk
            PROBLEM                          | bad  | 1 problem
            RISK RISK                        | warn | 2 risks
            INFORMATION                      | good | no problem and no risk
            """)
    void verdictCountsWhatIsBad(String severities, String kind, String text) {
        var view = of(Stream.of(severities.split(" ")).map(Severity::valueOf).toArray(Severity[]::new));

        assertThat(view.verdict()).isEqualTo(new Status(kind, text));
        assertThat(view.server()).isEqualTo("PostgreSQL 18.4 as role app, in database shop");
        assertThat(view.lookedAt()).isEqualTo("2026-11-29T20:00:00Z");
    }

    @Test
    void informationIsApart() {
        DoctorView view = of(Severity.INFORMATION, Severity.RISK, Severity.PROBLEM);

        assertThat(view.findings())
                .extracting(FindingView::severity)
                .containsExactly(new Status("bad", "problem"), new Status("warn", "risk"));
        assertThat(view.information())
                .extracting(FindingView::severity)
                .containsExactly(new Status("off", "information"));
        assertThat(view.informationSummary()).isEqualTo("1 finding for information");
    }

    @Test
    void evidenceAndRemedyAreTexts() {
        var finding = new Finding(
                FindingKind.BLOCKED_SESSIONS,
                Severity.RISK,
                "title",
                new Evidence(
                        List.of(new Column("waits_for", Column.Kind.DURATION), new Column("locks", Column.Kind.LIST)),
                        List.of(List.of(Duration.ofSeconds(80), List.of("bigint 7", "(1, 2)")), List.of("", List.of())),
                        3),
                "meaning",
                new Remedy("now", "for good", List.of("select 1;", "select 2;")));
        DoctorView view =
                DoctorView.of(new Diagnosis(new Server("18.4", 18, "shop", "app"), Instant.EPOCH, List.of(finding)));

        assertThat(view.findings())
                .containsExactly(new FindingView(
                        new Status("warn", "risk"),
                        "title",
                        List.of("waits for", "locks"),
                        List.of(List.of("1 min 20 s", "bigint 7; (1, 2)"), List.of("", "")),
                        "... and 3 more",
                        "meaning",
                        "now",
                        List.of("select 1;", "select 2;"),
                        "for good"));
    }
}
