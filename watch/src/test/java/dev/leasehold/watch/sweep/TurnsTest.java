package dev.leasehold.watch.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TurnsTest {

    private final Turns turns = new Turns(100);

    private List<Leftover> nextOnes(int count, int deletedEach) {
        List<Leftover> seen = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            seen.add(turns.next().orElseThrow());
            turns.deleted(deletedEach);
        }
        return seen;
    }

    @Test
    void kindsTakeTurnsWhileTheirBatchesAreFull() {
        assertThat(nextOnes(5, 100))
                .containsExactly(
                        Leftover.PASSKEY_CHALLENGE,
                        Leftover.SSO_REQUEST,
                        Leftover.CHECK_RESULT,
                        Leftover.INSTANCE,
                        Leftover.PASSKEY_CHALLENGE);
    }

    @Test
    void kindWhoseBatchWasNotFullIsDone() {
        assertThat(nextOnes(4, 99)).containsExactly(Leftover.values());
        assertThat(turns.next()).isEmpty();
    }

    @Test
    void batchThatFailsIsTriedAgainAtHalfItsSizeDownToOneRow() {
        Turns small = new Turns(5);

        assertThat(small.failed()).isTrue();
        assertThat(small.size(Leftover.PASSKEY_CHALLENGE)).isEqualTo(2);
        assertThat(small.size(Leftover.SSO_REQUEST)).isEqualTo(5);
        assertThat(small.next()).contains(Leftover.SSO_REQUEST);

        small.deleted(0);
        small.deleted(0);
        small.deleted(0);
        assertThat(small.next()).contains(Leftover.PASSKEY_CHALLENGE);
        assertThat(small.failed()).isTrue();
        assertThat(small.size(Leftover.PASSKEY_CHALLENGE)).isEqualTo(1);
        assertThat(small.failed()).isFalse();
        assertThat(small.next()).isEmpty();
    }

    @Test
    void summaryNamesWhatWasDeletedAndNothingElse() {
        assertThat(turns.summary()).isEmpty();
        turns.deleted(100);
        turns.deleted(0);
        turns.deleted(7);
        turns.deleted(0);
        turns.deleted(3);

        assertThat(turns.summary()).isEqualTo("103 expired passkey challenges, 7 old check results");
    }
}
