package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.gson.JsonParser;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

/** How values become text: safe, aligned, cut, broken into lines; and durations both ways. */
class TextTest {

    private static final Paint PLAIN = new Paint(false);

    @Test
    void noEscapeAndNoLineBreakOfOthersReachesTheTerminal() {
        assertThat(PlainText.inALine(" a\u001b[31mb\r\n  c\td\u009b\u202ee\u2028f\u0007 "))
                .isEqualTo(" a\uFFFD[31mb c d\uFFFD\uFFFDe\uFFFDf\uFFFD");
        assertThat(PlainText.inLines("a\u001b\nb\r\nc")).isEqualTo("a\uFFFD\nb\nc");
        assertThat(PlainText.inALine("a\u200b\u2060\u00adb\udb40\udc41c")).isEqualTo("a\uFFFD\uFFFD\uFFFDb\uFFFDc");
        assertThat(PlainText.asItIs("a\u001b\r\n\tb\n")).isEqualTo("a\uFFFD\n\tb\n");
        assertThat(PlainText.inALine("späte 🐘")).isEqualTo("späte 🐘");
    }

    @Test
    void norDoesOneInTheLog() {
        var log = new ByteArrayOutputStream();
        try (var stream = new PlainStream(log)) {
            stream.println("WARN a\u001b[2J\nb");
            new IllegalStateException("a\u001b[2J\nb").printStackTrace(stream);
        }
        assertThat(log.toString(StandardCharsets.UTF_8))
                .startsWith("WARN a\uFFFD[2J b\njava.lang.IllegalStateException: a\uFFFD[2J\nb\n\tat ");
    }

    @Test
    void inJsonItStaysWhatItIsAsAnEscape() {
        String tag = "a\u200bb\udb40\udc41";
        String json = Json.inALine(Json.object().with("name", tag).build());
        assertThat(json).isEqualTo("{\"name\":\"a\\u200bb\\udb40\\udc41\"}");
        assertThat(JsonParser.parseString(json).getAsJsonObject().get("name").getAsString())
                .isEqualTo(tag);
    }

    @Test
    void columnsAreAlignedAndTheLastIsNotPadded() {
        var table =
                new TextTable("NAME", "N").row("long name", "1").row("x", "22").row("", "");
        assertThat(table.lines(Integer.MAX_VALUE, PLAIN))
                .containsExactly("NAME       N", "long name  1", "x          22", "");
    }

    @Test
    void aNarrowTerminalCutsTheWidestCellsButNoShortOnes() {
        var table = new TextTable("NAME", "HOLDER").row("sweep-of-16-signs", "host-of-a-long-name/4711/0123456789");
        assertThat(table.lines(40, PLAIN))
                .containsExactly("NAME               HOLDER", "sweep-of-16-signs  host-of-a-long-nam...");
    }

    @Test
    void whatIsTheSameInAllRowsIsToldOnceIfTheTableIsTooWide() {
        var table = new TextTable("  ", List.of("pid", "client", "empty", "state", "role"))
                .row("4711", "10.0.0.1", "", "idle", "app")
                .row("4712", "10.0.0.1", "", "active", "app");
        assertThat(table.lines(60, PLAIN).get(0)).isEqualTo("  pid   client    empty  state   role");
        assertThat(table.lines(28, PLAIN))
                .containsExactly(
                        "  in all rows: client",
                        "  10.0.0.1",
                        "  pid   state   role",
                        "  4711  idle    app",
                        "  4712  active  app");
    }

    @Test
    void lessImportantColumnsGoBeforeCellsAreCut() {
        var table = new TextTable("NAME", "FENCE", "HOLDER")
                .doingWithout(1)
                .row("a", "17960390427", "host/1")
                .row("b", "17960390428", "host/2");
        assertThat(table.lines(24, PLAIN)).containsExactly("NAME  HOLDER", "a     host/1", "b     host/2");
    }

    @Test
    void whatFitsInNoWayIsToldCellByCell() {
        var table = new TextTable("NAME", "FENCE", "STATE", "ERROR")
                .doingWithout(1)
                .painting(2, cell -> Paint.Tone.BAD)
                .row("report", "1796", "failed", "java.sql.SQLException: the disk is full")
                .row("sweep", "1797", "", "");
        assertThat(table.lines(30, PLAIN))
                .containsExactly(
                        "NAME   report",
                        "FENCE  1796",
                        "STATE  failed",
                        "ERROR  java.sql.SQLException:",
                        "       the disk is full",
                        "",
                        "NAME   sweep",
                        "FENCE  1797");
        assertThat(table.lines(30, new Paint(true))).contains("\u001b[1mSTATE\u001b[0m  \u001b[1;31mfailed\u001b[0m");
    }

    @Test
    void coloursDoNotCountForTheWidth() {
        var table = new TextTable("A", "B").painting(0, cell -> Paint.Tone.BAD).row("red", "x");
        assertThat(table.lines(80, new Paint(true)).get(1)).isEqualTo("\u001b[1;31mred\u001b[0m  x");
    }

    @Test
    void aParagraphIsBrokenAtSpacesAndKeepsItsOwnLinesAndTheirIndent() {
        assertThat(Paragraph.lines("one two three four five six seven\n  select one, two, three, four;", 20))
                .containsExactly("one two three four", "five six seven", "  select one, two,", "  three, four;");
        assertThat(Paragraph.lines("Cut it off (`select pg_terminate_backend(42);`), or wait.", 20))
                .containsExactly("Cut it off", "(`select pg_terminate_backend(42);`),", "or wait.");
        assertThat(Paragraph.lines("an odd ` sign is a word", 20)).containsExactly("an odd ` sign is a", "word");
        assertThat(Paragraph.lines("a-word-that-is-longer-than-a-line x", 20))
                .containsExactly("a-word-that-is-longer-than-a-line", "x");
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0s",
        "PT0.35S, 0.3s",
        "PT9.99S, 9.9s",
        "PT59.9S, 59s",
        "PT1M, 1m",
        "PT1M5S, 1m5s",
        "PT1H, 1h",
        "PT3H25M40S, 3h25m",
        "P2DT3H, 2d3h",
        "P99999D, for ever",
        "PT-90S, 1m30s"
    })
    void durationsAreToldInTheirTwoLargestUnits(Duration duration, String text) {
        assertThat(DurationText.of(duration)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "250ms, PT0.25S",
        "30s, PT30S",
        "5m, PT5M",
        "1h30m, PT1H30M",
        "2d, PT48H",
        "1m500ms, PT1M0.5S",
        "0s, PT0S",
        "PT2M, PT2M",
        "P1DT2H, PT26H"
    })
    void durationsAreReadAsPeopleWriteThem(String text, Duration duration) {
        assertThat(new DurationText().convert(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "m", "5 m", "-5m", "5m1h", "1.5h", "pt5m", "PT", "P1M", "PT5M1H", "99999999999s"})
    void otherDurationsAreRefused(String text) {
        assertThatExceptionOfType(TypeConversionException.class)
                .isThrownBy(() -> new DurationText().convert(text))
                .withMessageContaining("is no duration");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-5M", "P1000001D", "PT999999999999H", "999999d999999h"})
    void durationsOutOfAllBoundsAreRefusedToo(String text) {
        assertThatExceptionOfType(TypeConversionException.class)
                .isThrownBy(() -> new DurationText().convert(text))
                .withMessageContaining("must be zero or more, and at most 1000000d");
    }

    @Test
    void jsonHasNullsUtcSecondsAndNoControlSigns() {
        var json = Json.object()
                .with("name", "a\"\u001b\u009b<>&\u202eé")
                .with("none", Optional.empty())
                .with("at", Instant.parse("2026-11-30T10:00:00Z"))
                .with("count", 3)
                .withSeconds("age_seconds", Duration.ofMillis(1_500))
                .withSeconds("ttl_seconds", Optional.of(Duration.ofMinutes(20)))
                .build();
        assertThat(Json.inALine(json))
                .isEqualTo("{\"name\":\"a\\\"\\u001b\\u009b<>&\\u202eé\",\"none\":null,\"at\":\"2026-11-30T10:00:00Z\","
                        + "\"count\":3,\"age_seconds\":1.5,\"ttl_seconds\":1200}");
    }

    @Test
    void theNearestNameIsProposedIfItIsAlike() {
        List<String> names = List.of("sweep", "uptime@node-a", "uptime", "mail-checks");
        assertThat(NearestName.of("sweeep", names)).hasValue("sweep");
        assertThat(NearestName.of("UPTIME", names)).hasValue("uptime");
        assertThat(NearestName.of("mail", names)).hasValue("mail-checks");
        assertThat(NearestName.of("billing", names)).isEmpty();
    }
}
