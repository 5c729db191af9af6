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
        assertThat(OneLine.text(null)).isEmpty();
    }

    @Test
    void aLongLineIsCutAtAWholeCharacter() {
        String bananas = "\ud83c\udf4c".repeat(81);
        assertThat(OneLine.text(bananas)).isEqualTo("\ud83c\udf4c".repeat(79) + "…");
        assertThat(OneLine.text("\ud83c\udf4c".repeat(80))).isEqualTo("\ud83c\udf4c".repeat(80));
    }
}
