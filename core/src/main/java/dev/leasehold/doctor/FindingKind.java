package dev.leasehold.doctor;

import java.util.Locale;

/** What a {@link Finding} is about. The order is the order in which findings of one severity are told. */
public enum FindingKind {
    /** Sessions that are idle and hold advisory locks: each is a connection of a pool that nobody else can use. */
    LOCKS_ON_IDLE_CONNECTIONS,
    /** Sessions that wait for locks of others. */
    BLOCKED_SESSIONS,
    /** Transactions that are open for long, or idle; and what they hold back. */
    LONG_TRANSACTIONS,
    /** What keeps dead rows from being removed: the oldest xmin, of sessions, prepared transactions and replication slots. */
    HELD_BACK_HORIZON,
    /** Connections by application, client and user, against the server's limits. */
    CONNECTIONS,
    /** Connections against the budget that was given. */
    BUDGET,
    /** The server is a standby, or the database or role is read-only by default: nothing can be acquired here. */
    READ_ONLY,
    /** A pooler between this client and the server. */
    POOLER,
    /** Settings that end sessions, statements or transactions, or change what a transaction sees. */
    SETTINGS,
    /** Commits that wait for a standby, or do not. */
    REPLICATION,
    /** Leases whose holder died, that are held for absurdly long, or that never expire. */
    LEASES,
    /** Rounds that are paused, or whose holders die one after another. */
    ROUNDS,
    /** Dead rows and size of the lease table. */
    LEASE_TABLE,
    /** The clock of this machine against the database's. Nothing depends on it. */
    CLOCK,
    /** What the role that looked may not see. */
    HIDDEN;

    /** The name for programs, such as {@code locks-on-idle-connections}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
