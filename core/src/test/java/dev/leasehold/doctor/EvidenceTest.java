package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each cell is of the type of its column, or is absent. */
class EvidenceTest {

    private static Evidence of(Column.Kind kind, Object cell) {
        return Evidence.of(List.of(new Column("x", kind)), List.of(List.of(cell)));
    }

    @ParameterizedTest
    @EnumSource
    void cellsOfAnotherTypeAreRefusedAndAbsentOnesAreNot(Column.Kind kind) {
        assertThat(of(kind, "").rows()).containsExactly(List.of(""));
        assertThatThrownBy(() -> of(kind, 1.5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the cell 1.5 of the evidence is a Double, but must be of kind " + kind + " in column x");
        assertThatThrownBy(() -> of(kind, List.of(true))).isInstanceOf(IllegalArgumentException.class);
        if (kind != Column.Kind.TEXT) {
            assertThatThrownBy(() -> of(kind, "text")).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aRowHasACellForEachColumn() {
        assertThatThrownBy(() -> Evidence.of(Column.texts("a", "b"), List.of(List.of("1"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has 1 cells, but must have 2");
    }

    @Test
    void cellsAreTextForPeople() {
        assertThat(Evidence.text(of(Column.Kind.NUMBER, 7).rows().get(0).get(0)))
                .isEqualTo("7");
        assertThat(Evidence.text(Duration.ofSeconds(80))).isEqualTo("1 min 20 s");
        assertThat(Evidence.text(List.of("a", 7))).isEqualTo("a; 7");
        assertThat(Evidence.text("")).isEmpty();
        assertThat(Evidence.text("  waits\u001b[2J\n for  it ")).isEqualTo("  waits [2J for it");
    }

    @Test
    void aColumnSaysItsUnitToPrograms() {
        assertThat(Column.duration("open").key()).isEqualTo("open_seconds");
        assertThat(Column.number("idle_in_transaction").key()).isEqualTo("idle_in_transaction");
        assertThat(Column.number("idle_in_transaction").heading()).isEqualTo("idle in transaction");
    }

    @Test
    void ofManyRowsAHundredAreShown() {
        Evidence evidence = Evidence.of(Column.texts("a"), Collections.nCopies(107, List.of("1")));
        assertThat(evidence.rows()).hasSize(100);
        assertThat(evidence.leftOut()).isEqualTo(7);
        assertThat(Evidence.of(Column.texts("a"), Collections.nCopies(100, List.of("1")))
                        .leftOut())
                .isZero();
    }
}
