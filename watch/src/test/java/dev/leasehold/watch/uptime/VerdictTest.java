package dev.leasehold.watch.uptime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerdictTest {

    @ParameterizedTest
    @CsvSource({"199, DOWN", "200, UP", "204, UP", "304, UP", "399, UP", "400, DOWN", "404, DOWN", "503, DOWN"})
    void finalStatusDecides(int status, Outcome outcome) {
        assertThat(Verdict.of(new Seen.Answered(status))).isEqualTo(new Verdict(outcome, status, "answered " + status));
    }

    @Test
    void targetThatDoesNotAnswerAsItShouldIsDown() {
        assertThat(Verdict.of(new Seen.TooManyRedirects(5)))
                .isEqualTo(new Verdict(Outcome.DOWN, null, "more than 5 redirects"));
        assertThat(Verdict.of(new Seen.TimedOut("no answer")))
                .isEqualTo(new Verdict(Outcome.DOWN, null, "out of time: no answer"));
        assertThat(Verdict.of(new Seen.Failed("refused"))).isEqualTo(new Verdict(Outcome.DOWN, null, "refused"));
        assertThat(Verdict.of(new Seen.NoSuchName("x.example")))
                .extracting(Verdict::outcome)
                .isEqualTo(Outcome.DOWN);
        assertThat(Verdict.of(new Seen.NotAskable("ftp", true)).outcome()).isEqualTo(Outcome.DOWN);
    }

    @Test
    void whatThisNodeCouldNotCheckIsUnknown() {
        assertThat(Verdict.of(new Seen.ResolverFailed("x.example", "no answer in time")))
                .isEqualTo(new Verdict(Outcome.UNKNOWN, null, "could not look up x.example: no answer in time"));
        assertThat(Verdict.of(new Seen.NoRoute("x.example")))
                .isEqualTo(new Verdict(Outcome.UNKNOWN, null, "this node has no route to x.example"));
        assertThat(Verdict.of(new Seen.NotAskable("no URL", false)).outcome()).isEqualTo(Outcome.UNKNOWN);
    }
}
