package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Text of others, fit for a line of a terminal. */
class OneLineTest {

    @Test
    void whatBreaksTheLineOrMovesTheCursorBecomesASpace() {
        assertThat(OneLine.text("a\r\n\tb\u001b[2J c\u2028d\u0085e\u202ef\u0000"))
                .isEqualTo("a b [2J c d e f");
        assertThat(OneLine.text("half \ud83d a pair")).isEqualTo("half a pair");
        assertThat(OneLine.text("select\n\t 1\r\n -- \u001b]0;title\u0007 \u009b31m"))
                .isEqualTo("select 1 -- ]0;title 31m");
        assertThat(OneLine.text(" na\u00efve\u00a0\ud83d\udc18 ")).isEqualTo("na\u00efve \ud83d\udc18");
        assertThat(OneLine.text(null)).isEmpty();
    }

    @Test
    void aLongLineIsCutAtAWholeCharacter() {
        String bananas = "\ud83c\udf4c".repeat(81);
        assertThat(OneLine.text(bananas)).isEqualTo("\ud83c\udf4c".repeat(79) + "…");
        assertThat(OneLine.text("\ud83c\udf4c".repeat(80))).isEqualTo("\ud83c\udf4c".repeat(80));
    }
}
