package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What a key stands for. The numbers of tools are those that their own code computes. */
class KeyNamesTest {

    private static final KeyNames NAMES =
            new KeyNames(List.of(new HashedName("sweep", -5, 1L << 40, 77L), new HashedName("a", 8, 9, null)), "shop");

    @Test
    void aNumberIsEachHashOfAName() {
        assertThat(NAMES.words(AdvisoryKey.of(-5))).isEqualTo("hashtext('sweep') = bigint -5");
        assertThat(NAMES.words(AdvisoryKey.of(1L << 40)))
                .isEqualTo("hashtextextended('sweep', 0) = bigint 1099511627776");
        assertThat(NAMES.words(AdvisoryKey.of(77))).isEqualTo("lease 'sweep', in a statement of Leasehold = bigint 77");
        assertThat(NAMES.words(AdvisoryKey.of(109_850_348)))
                .isEqualTo("hashCode of 'sweep' in Java = bigint 109850348");
        assertThat(NAMES.words(AdvisoryKey.of(2_284_524_082L))).isEqualTo("CRC-32 of 'sweep' = bigint 2284524082");
        assertThat(NAMES.words(AdvisoryKey.of("a".hashCode()))).isEqualTo("bigint 97");
        assertThat(NAMES.words(AdvisoryKey.of(6))).isEqualTo("bigint 6");
    }

    @Test
    void aPairHasAHashInEitherPlace() {
        assertThat(NAMES.words(AdvisoryKey.of(7, -5))).isEqualTo("(7, hashtext('sweep')) = (7, -5)");
        assertThat(NAMES.words(AdvisoryKey.of(-5, 7))).isEqualTo("(hashtext('sweep'), 7) = (-5, 7)");
        assertThat(NAMES.words(AdvisoryKey.of(1, 2))).isEqualTo("(1, 2)");
    }

    @Test
    void aNumberIsPutTogetherWithItsSign() {
        assertThat(new AdvisoryKey(-1, -5, false).number()).isEqualTo(-5);
        assertThat(new AdvisoryKey(0, -5, false).number()).isEqualTo(4_294_967_291L);
        assertThat(AdvisoryKey.of(Long.MIN_VALUE).number()).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void keysOfMigrationsAreRecognised() {
        assertThat(NAMES.meaning(AdvisoryKey.of(77_433_833_903_597L)))
                .contains("Flyway, table flyway_schema_history of schema public");
        assertThat(NAMES.meaning(AdvisoryKey.of(77_431_708_279_161L + Integer.MAX_VALUE)))
                .contains("Flyway, another table");
        assertThat(NAMES.meaning(AdvisoryKey.of(77_431_708_279_161L + Integer.MAX_VALUE + 1)))
                .isEmpty();
        assertThat(NAMES.meaning(AdvisoryKey.of(5_939_944_341_529_942_170L))).contains("Rails migrations");
        assertThat(NAMES.meaning(AdvisoryKey.of(3_689_236_698L))).contains("golang-migrate");
        assertThat(NAMES.meaning(AdvisoryKey.of(72_707, 369))).isEmpty();
    }
}
