package dev.leasehold.doctor;

import dev.leasehold.doctor.LocksOnIdleConnections.Circumstances;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The findings that there are, each with every remedy that it can have; of sessions that no server has. */
final class EveryFinding {

    static final String DATABASE = "shop \"of\u0007 all";
    static final String ROLE = "role of \u202e it";
    static final String PREPARED = "half\n'done";
    static final String SLOT = "feed";

    private static final int NOBODY = Integer.MAX_VALUE;
    private static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Relation TABLE =
            new Relation(1, true, "public.leases", "public", false, Map.of("name", "text"), Set.of());

    private EveryFinding() {}

    static List<Finding> all(List<String> settings) {
        return Stream.of(sessions(), connections(), settings(settings), replication(), poolers(), leases(), table())
                .flatMap(List::stream)
                .toList();
    }

    private static Session session(int pid, SessionState state) {
        return new Session(
                pid,
                false,
                "client backend",
                new Client("10.0.0.7", "orders", OneLine.text(ROLE), OneLine.text(DATABASE)),
                state,
                state == SessionState.UNKNOWN,
                Optional.of(HOUR),
                Optional.of(HOUR),
                Optional.of(2_000_000),
                Optional.of(40_000),
                Optional.of(HOUR),
                "select 1");
    }

    private static List<Finding> sessions() {
        var findings = new ArrayList<Finding>();
        var circumstances = new Circumstances(new KeyNames(List.of(), DATABASE), false, NOW, 97, ROLE);
        List<Session> some = List.of(session(NOBODY, SessionState.IDLE), session(NOBODY - 1, SessionState.IDLE));
        List<AdvisoryLock> locks = some.stream()
                .map(one -> new AdvisoryLock(one.pid(), AdvisoryKey.of(7), true, false, false))
                .toList();
        findings.addAll(LocksOnIdleConnections.judge(some, locks, circumstances));
        findings.addAll(LocksOnIdleConnections.judge(some.subList(0, 1), locks, circumstances));
        List<Session> hidden = List.of(session(NOBODY, SessionState.UNKNOWN));
        findings.addAll(LocksOnIdleConnections.judge(
                hidden, List.of(new AdvisoryLock(NOBODY, AdvisoryKey.of(7), true, false, true)), circumstances));
        findings.addAll(HiddenSessions.judge(hidden, ROLE));
        var prepared = new PreparedTransaction(PREPARED, OneLine.text(DATABASE), ROLE, HOUR, 2_000_000);
        for (SessionState state : SessionState.values()) {
            findings.addAll(blocked(List.of(session(NOBODY, state)), NOBODY, List.of()));
            findings.addAll(LongTransactions.judge(List.of(session(NOBODY, state)), HOUR, HOUR));
        }
        findings.addAll(blocked(List.of(), Wait.PREPARED, List.of(prepared)));
        findings.addAll(blocked(List.of(), Wait.PREPARED, List.of(prepared, prepared)));
        findings.addAll(BlockedSessions.judge(
                List.of(),
                List.of(new Wait(1, List.of(2), HOUR, "a row"), new Wait(2, List.of(1), HOUR, "a row")),
                List.of()));
        Stream.of(
                        HorizonHolder.of(session(NOBODY, SessionState.ACTIVE))
                                .orElseThrow()
                                .end(),
                        HorizonHolder.replication(Optional.of(SLOT)),
                        HorizonHolder.replication(Optional.empty()),
                        prepared.remedy())
                .map(end -> new HorizonHolder("somebody", "", Optional.empty(), HeldBackHorizon.TOO_FAR, end))
                .forEach(holder -> findings.addAll(HeldBackHorizon.judge(List.of(holder), HOUR)));
        return findings;
    }

    private static List<Finding> blocked(List<Session> sessions, int root, List<PreparedTransaction> prepared) {
        return BlockedSessions.judge(sessions, List.of(new Wait(1, List.of(root), HOUR, "a row")), prepared);
    }

    private static List<Finding> connections() {
        List<Session> one = List.of(session(NOBODY, SessionState.IDLE));
        var findings = new ArrayList<Finding>();
        for (int usable : List.of(1, 100)) {
            var limits = new ConnectionLimits(usable, 0, 0);
            findings.addAll(Connections.judge(
                    one, limits, List.of(new OwnLimit(true, ROLE, 1), new OwnLimit(false, DATABASE, 1))));
            findings.add(ConnectionsAgainstBudget.judge(one, limits, 50));
            findings.add(ConnectionsAgainstBudget.judge(
                    List.of(session(1, SessionState.IDLE), session(2, SessionState.IDLE)), limits, 1));
        }
        findings.addAll(ClockCheck.judge(new ClockReading(NOW, NOW.plus(HOUR), NOW)));
        return findings;
    }

    private static List<Finding> settings(List<String> names) {
        var findings = new ArrayList<Finding>();
        for (String source :
                List.of("global", "database", "user", "database user", "client", "session", "command line", "x")) {
            List<Setting> all = names.stream()
                    .flatMap(name -> Stream.of("1", "off", "serializable", "on")
                            .map(value -> new Setting(name, value, source, ROLE, DATABASE, false, true)))
                    .toList();
            all.forEach(setting -> findings.addAll(SettingsCheck.judge(List.of(setting))));
            findings.addAll(ReadOnlyCheck.judge(
                    new ReadOnlyCheck.Recovery(true, Optional.of("10.0.0.8:5432"), Optional.of(HOUR)),
                    Optional.of(
                            new Setting("default_transaction_read_only", "on", source, ROLE, DATABASE, true, true))));
        }
        findings.addAll(DeadClients.judge(Map.of(), 3));
        return findings;
    }

    private static List<Finding> replication() {
        var standby = new ReplicationCheck.Standby("a", "10.0.0.8", "streaming", "sync", Optional.of(HOUR));
        var hidden = new ReplicationCheck.Standby("a", null, null, null, Optional.empty());
        var none = new ReplicationCheck.Waits(0, Duration.ZERO);
        return Stream.of(
                        ReplicationCheck.judge("", List.of(standby), none),
                        ReplicationCheck.judge("a", List.of(standby), none),
                        ReplicationCheck.judge("a", List.of(hidden), none),
                        ReplicationCheck.judge("a", List.of(), none))
                .flatMap(List::stream)
                .toList();
    }

    private static List<Finding> poolers() {
        var findings = new ArrayList<Finding>();
        for (Pooling.Mode mode : Pooling.Mode.values()) {
            for (int threshold : List.of(0, 5)) {
                var pooling = new Pooling(mode, Optional.of(1), Set.of(NOBODY), Optional.of(threshold), false);
                findings.addAll(PoolerCheck.judge(pooling));
                findings.addAll(PoolerCheck.judge(
                        pooling, List.of(new PoolerCheck.Left(NOBODY, false, "orders", 2, Duration.ofHours(1)))));
            }
        }
        return findings;
    }

    private static List<Finding> leases() {
        var all = new ArrayList<LeaseOfNote>();
        for (Duration left : List.of(Duration.ofDays(-40), Duration.ofDays(-2), HOUR.negated(), Duration.ofDays(9))) {
            for (boolean isRound : List.of(true, false)) {
                all.add(new LeaseOfNote(
                        "sweep",
                        "node-a/1/ab",
                        Optional.of(7L),
                        Optional.of(Duration.ofDays(50)),
                        Optional.of(left),
                        true,
                        isRound,
                        RoundFindings.MANY_DEATHS,
                        Optional.of("a reason")));
            }
        }
        var findings = new ArrayList<>(LeaseFindings.judge(new LeaseCounts(8, 2, 0, 6), all));
        findings.addAll(RoundFindings.judge(all));
        return findings;
    }

    private static List<Finding> table() {
        var findings = new ArrayList<Finding>();
        for (boolean hasUsage : List.of(true, false)) {
            var elsewhere = new TableFindings.Elsewhere("public.leases", "public", "public.leases", hasUsage);
            findings.addAll(TableFindings.missing(Questions.DEFAULTS, List.of(elsewhere), ROLE));
        }
        findings.addAll(TableFindings.missing(Questions.DEFAULTS.withTable("rents"), List.of(), ROLE));
        findings.add(TableFindings.another(TABLE));
        findings.add(TableFindings.unreadable(TABLE, ROLE));
        findings.add(TableFindings.outOfReach(
                TABLE, List.of(new TableFindings.Locker(NOBODY, true, ROLE, "orders", "idle", Optional.of(HOUR)))));
        findings.add(TableFindings.outOfReach(TABLE, List.of()));
        var statistics =
                new TableStatistics(1 << 30, 1 << 30, 1, 1_000_000, 1_000_000, 1, Optional.of(HOUR), 100, false, false);
        List<String> columns = List.of("name", "expires_at");
        for (Optional<String> constraint : List.of(Optional.of("odd"), Optional.<String>empty())) {
            findings.addAll(
                    TableFindings.judge(TABLE, statistics, List.of(new TableIndex("public.odd", constraint, columns))));
        }
        var types = Map.of("fence", "bigint", "done_slot", "x", "deaths", "integer", "pause_reason", "text");
        findings.addAll(TableFindings.judge(
                new Relation(1, true, "public.leases", "public", true, types, Set.of()), statistics, List.of()));
        findings.addAll(BloatFindings.judge(TABLE, statistics, Optional.of(1L)));
        return findings;
    }
}
