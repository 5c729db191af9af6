package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ErrorTextTest {

    @Test
    void whatPostgresqlKeepsStaysAsItIs() {
        for (String text : new String[] {"", "a", "ß😀\n\t\u0001\u007F\uFFFF", "😀".repeat(2_000)}) {
            assertThat(ErrorText.kept(text)).isEqualTo(text);
        }
    }

    @Test
    void whatItRefusesIsEscaped() {
        assertThat(ErrorText.kept("a\0b\uD83D-\uDE00")).isEqualTo("a\\u0000b\\uD83D-\\uDE00");
    }

    @Test
    void theEndIsCutAtTwoThousandCharactersAndNeverInsideOne() {
        assertThat(ErrorText.kept("😀".repeat(2_001))).isEqualTo("😀".repeat(2_000));
        String almost = "x".repeat(1_995);
        assertThat(ErrorText.kept(almost + "\0")).isEqualTo(almost);
        assertThat(ErrorText.kept(almost.substring(1) + "\0")).hasSize(2_000);
    }

    @Test
    void inAsciiAllElseIsEscaped() {
        assertThat(ErrorText.inAscii("a~ä😀")).isEqualTo("a~\\u00E4\\uD83D\\uDE00");
    }
}
