package dev.leasehold.doctor;

import static dev.leasehold.doctor.ClientLocks.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.doctor.LocksOnIdleConnections.Circumstances;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When a pool is called used up by locks, and which locks are nobody's fault. */
class ClientLocksTest {

    private static final Client ORDERS = new Client("10.0.0.7", "orders", "app", "shop");
    private static final Instant NOW = Instant.parse("2030-01-02T00:02:00Z");

    /** Of nine connections, of which there may be {@code usable}. */
    private static Circumstances circumstances(boolean hasNames, int usable) {
        return new Circumstances(new KeyNames(List.of(), "shop"), hasNames, NOW, usable, "app");
    }

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
                    Optional.of(40_000 + pid),
                    Optional.of(Duration.ofHours(1)),
                    ""));
            if (hasLock) {
                locks.add(new AdvisoryLock(pid, AdvisoryKey.of(pid), true, false, isInTransaction));
            }
        }
        return this;
    }

    private List<Finding> judged() {
        return LocksOnIdleConnections.judge(sessions, locks, circumstances(false, 97));
    }

    /** Two leaders beside a pool that is well; or two instances behind one address, and the pool of one of them is empty. */
    @Test
    void twoThatAreIdleForAMinuteBesideOthersAreARiskAndTheirPoolIsNotGuessedAt() {
        Finding finding = add(2, SessionState.IDLE, LONG, true, false)
                .add(6, SessionState.IDLE, false)
                .judged()
                .get(0);
        assertThat(finding.severity()).isEqualTo(Severity.RISK);
        assertThat(finding.title())
                .isEqualTo(
                        "2 of 8 connections of this client are idle and hold advisory locks: if these are one pool, it has"
                                + " none to lend (orders, 10.0.0.7, user app, database shop)");
        assertThat(finding.meaning())
                .contains("If these 2 are the whole pool of one instance, it stands still")
                .contains("PostgreSQL itself has room: 8 of 97 usable connections are in use.")
                .contains("They have been idle with locks since 00:01:00 UTC.");
        assertThat(Found.rows(finding))
                .hasSize(8)
                .startsWith(
                        List.of("1", "10.0.0.7", "orders", "app", "shop", "40001", "1 h", "idle", "1 min", "bigint 1"),
                        List.of("2", "10.0.0.7", "orders", "app", "shop", "40002", "1 h", "idle", "1 min", "bigint 2"),
                        List.of("3", "10.0.0.7", "orders", "app", "shop", "40003", "1 h", "idle", "3 min", ""));
        assertThat(finding.remedy().sql())
                .containsExactly("select pg_terminate_backend(pid) from unnest(array[1, 2]) as pid;");
    }

    @Test
    void whatIsIdleForLessIsARiskUnlessItIsAllThatTheClientHas() {
        add(1, SessionState.IDLE, LONG, true, false).add(3, SessionState.IDLE, LONG.minusNanos(1), true, false);
        assertThat(judged().get(0).severity()).isEqualTo(Severity.PROBLEM);
        assertThat(judged().get(0).title())
                .startsWith("4 of 4 connections of this client hold advisory locks: its pool");
        Finding finding = add(1, SessionState.ACTIVE, false).judged().get(0);
        assertThat(finding.severity()).isEqualTo(Severity.RISK);
        assertThat(finding.title())
                .startsWith("4 of 5 connections of this client are idle and hold advisory locks (orders");
    }

    @Test
    void aConnectionThatIsThereForItsLockIsARiskAndMayBeFine() {
        Finding finding = add(1, SessionState.IDLE, true).judged().get(0);
        assertThat(finding.severity()).isEqualTo(Severity.RISK);
        assertThat(finding.title())
                .startsWith("1 of 1 connection of this client is idle and holds advisory locks (orders");
        assertThat(finding.meaning())
                .contains("That is fine for a connection that is kept for one lock and is not of the pool")
                .contains("It has been idle with locks since 2030-01-01 23:59:00 UTC.");
    }

    @Test
    void aServerWithoutRoomIsNotSaidToHaveIt() {
        add(4, SessionState.IDLE, true);
        assertThat(LocksOnIdleConnections.judge(sessions, locks, circumstances(false, 4))
                        .get(0)
                        .meaning())
                .doesNotContain("PostgreSQL itself has room");
    }

    @Test
    void bareNumbersAskForNamesOrSayThatThoseThatWereGivenDoNotMatch() {
        add(1, SessionState.IDLE, true);
        assertThat(judged().get(0).meaning()).contains("Give the names that the application locks");
        assertThat(LocksOnIdleConnections.judge(sessions, locks, circumstances(true, 97))
                        .get(0)
                        .meaning())
                .contains("The names that were given match none of the locks.")
                .doesNotContain("Give the names");
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
        assertThat(judged().get(0).title()).startsWith("1 of 3 connections of this client is idle and holds");
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
                Optional.empty(),
                Optional.empty(),
                ""));
        assertThat(judged().get(0).title()).startsWith("2 of 2 connections of this client hold");
    }
}
