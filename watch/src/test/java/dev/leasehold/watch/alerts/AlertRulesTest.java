package dev.leasehold.watch.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AlertRulesTest {

    private static final Sighting A_UP = new Sighting("node-a", "up", "answered 200");
    private static final Sighting B_UP = new Sighting("node-b", "up", "answered 200");
    private static final Sighting A_DOWN = new Sighting("node-a", "down", "answered 500");
    private static final Sighting B_DOWN = new Sighting("node-b", "down", "refused");
    private static final Sighting A_UNKNOWN = new Sighting("node-a", "unknown", "no resolver");

    private static final Known UP_7 = new Known(State.UP, 7);
    private static final Known DOWN_8 = new Known(State.DOWN, 8);

    @Test
    void downWhenEveryNodeThatHasASaySaysDown() {
        assertThat(AlertRules.decide(UP_7, List.of(A_DOWN, B_DOWN)))
                .contains(new Change(State.UP, State.DOWN, 8, "node-a: answered 500; node-b: refused", true));
        assertThat(AlertRules.decide(UP_7, List.of(A_UNKNOWN, B_DOWN)))
                .contains(new Change(State.UP, State.DOWN, 8, "node-b: refused", true));
    }

    @Test
    void upWhenAnyNodeSaysUp() {
        assertThat(AlertRules.decide(UP_7, List.of(A_DOWN, B_UP))).isEmpty();
        assertThat(AlertRules.decide(DOWN_8, List.of(A_DOWN, B_UP)))
                .contains(new Change(State.DOWN, State.UP, 9, "node-b: answered 200", true));
    }

    @Test
    void stateStaysWhenNoNodeHasASay() {
        assertThat(AlertRules.decide(UP_7, List.of())).isEmpty();
        assertThat(AlertRules.decide(DOWN_8, List.of(A_UNKNOWN))).isEmpty();
        assertThat(AlertRules.decide(null, List.of(A_UNKNOWN))).isEmpty();
    }

    @Test
    void sameStateIsNoChange() {
        assertThat(AlertRules.decide(UP_7, List.of(A_UP, B_UP))).isEmpty();
        assertThat(AlertRules.decide(DOWN_8, List.of(A_DOWN))).isEmpty();
    }

    @Test
    void firstStateIsToldOnlyIfItIsDown() {
        assertThat(AlertRules.decide(null, List.of(A_UP)))
                .contains(new Change(null, State.UP, 1, "node-a: answered 200", false));
        assertThat(AlertRules.decide(null, List.of(A_DOWN)))
                .contains(new Change(null, State.DOWN, 1, "node-a: answered 500", true));
    }
}
