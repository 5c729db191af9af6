package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When a pool is called used up by locks, and which locks are nobody's fault. */
class ClientLocksTest {

    private static final Client ORDERS = new Client("10.0.0.7", "orders", "app", "shop");
    private static final KeyNames NO_NAMES = new KeyNames(List.of(), "shop");

    private final List<Session> sessions = new ArrayList<>();
    private final List<AdvisoryLock> locks = new ArrayList<>();

    private ClientLocksTest add(int count, SessionState state, boolean hasLock) {
        return add(count, state, Duration.ofMinutes(3), hasLock, state != SessionState.IDLE);
    }

    private ClientLocksTest add(
            int count, SessionState state, Duration stateFor, boolean hasLock, boolean isInTransaction) {
        for (int i = 0; i < count; i++) {
            int pid = sessions.size() + 1;
            sessions.add(new Session(
                    pid,
                    false,
                    "client backend",
                    ORDERS,
                    state,
                    false,
                    Optional.empty(),
                    Optional.of(stateFor),
                    Optional.empty(),
                    ""));
            if (hasLock) {
                locks.add(new AdvisoryLock(pid, AdvisoryKey.of(pid), true, false, isInTransaction));
            }
        }
        return this;
    }

    private List<Finding> judged() {
        return LocksOnIdleConnections.judge(sessions, locks, NO_NAMES, "app");
    }

    @Test
    void noneIsFreeBesidesThoseThatWork() {
        List<Finding> findings = add(3, SessionState.IDLE, true)
                .add(1, SessionState.ACTIVE, false)
                .judged();
        assertThat(findings.get(0).severity()).isEqualTo(Severity.PROBLEM);
        assertThat(findings.get(0).title())
                .startsWith(
                        "3 of 4 connections of this client hold advisory locks, and no other is free: its pool is used"
                                + " up by locks");
        assertThat(Found.column("state", findings.get(0))).containsOnly("idle for 3 min");
    }

    @Test
    void aFreeConnectionMakesItARisk() {
        List<Finding> findings =
                add(3, SessionState.IDLE, true).add(1, SessionState.IDLE, false).judged();
        assertThat(findings).extracting(Finding::severity).containsExactly(Severity.RISK);
    }

    @Test
    void aPoolThatIsBusyWithWorkIsNotUsedUpByLocks() {
        List<Finding> findings = add(2, SessionState.IDLE, true)
                .add(10, SessionState.ACTIVE, false)
                .judged();
        assertThat(findings).extracting(Finding::severity).containsExactly(Severity.RISK);
    }

    @Test
    void aConnectionThatIsThereForItsLockIsARisk() {
        assertThat(add(1, SessionState.IDLE, true).judged())
                .extracting(Finding::severity)
                .containsExactly(Severity.RISK);
    }

    @Test
    void locksOfThoseThatWorkAreNotTold() {
        assertThat(add(4, SessionState.ACTIVE, true).judged()).isEmpty();
    }

    @Test
    void aPauseBetweenTwoStatementsIsWork() {
        add(2, SessionState.IDLE_IN_TRANSACTION, Duration.ofMillis(999), true, true);
        assertThat(judged()).isEmpty();
        add(1, SessionState.IDLE_IN_TRANSACTION, Duration.ofSeconds(1), true, true);
        assertThat(judged().get(0).title()).startsWith("1 of 3 connections of this client holds");
    }

    @Test
    void aSessionThatWentToWorkSinceIsNotTold() {
        assertThat(add(2, SessionState.IDLE, Duration.ZERO, true, true).judged())
                .isEmpty();
    }

    @Test
    void othersLocksDoNotCount() {
        add(2, SessionState.IDLE, true);
        Client other = new Client("10.0.0.8", "orders", "app", "shop");
        sessions.add(new Session(
                9,
                false,
                "client backend",
                other,
                SessionState.IDLE,
                false,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                ""));
        assertThat(judged().get(0).title()).startsWith("2 of 2 connections of this client hold");
    }
}
