package dev.leasehold;

import dev.leasehold.Statements.Filled;
import dev.leasehold.internal.TableName;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The lease table as operators change it. Thread-safe. */
final class OrderTable {

    private final Statements statements;
    private final Lane lane;
    private final Duration bound;
    private final NamedSql makeDue;
    private final NamedSql idleAndNotMadeDue;
    private final NamedSql pauseFirst;
    private final NamedSql pause;
    private final NamedSql hasRow;
    private final NamedSql unreleased;
    private final NamedSql releaseByForce;

    OrderTable(Statements statements, TableName table, Lane lane, Duration bound) {
        this.statements = statements;
        this.lane = lane;
        this.bound = bound;
        this.makeDue = NamedSql.of(LeaseSql.MAKE_DUE, table);
        this.idleAndNotMadeDue = NamedSql.of(LeaseSql.IDLE_AND_NOT_MADE_DUE, table);
        this.pauseFirst = NamedSql.of(LeaseSql.PAUSE_FIRST, table);
        this.pause = NamedSql.of(LeaseSql.PAUSE, table);
        this.hasRow = NamedSql.of(LeaseSql.HAS_ROW, table);
        this.unreleased = NamedSql.of(LeaseSql.UNRELEASED, table);
        this.releaseByForce = NamedSql.of(LeaseSql.RELEASE_BY_FORCE, table);
    }

    /** The names whose slots are due now, but for those that were made due before; what is locked is passed over. */
    List<String> makeDue(String name, Set<String> before) throws SQLException {
        return run(makeDue, of(name, before), OrderTable::names);
    }

    /** Whether some are left that nobody holds. */
    boolean isOneLeft(String name, Set<String> madeDue) throws SQLException {
        return run(idleAndNotMadeDue, of(name, madeDue), ResultSet::next);
    }

    private static Map<String, ?> of(String name, Set<String> madeDue) {
        return Map.of("name", name, "made_due", madeDue.toArray(String[]::new));
    }

    private static List<String> names(ResultSet rows) throws SQLException {
        var names = new ArrayList<String>();
        while (rows.next()) {
            names.add(rows.getString("name"));
        }
        return List.copyOf(names);
    }

    /** Whether one of the round's nodes has a row, if a paused row was made; empty if there is one of the name. */
    Optional<Boolean> pauseFirst(String name, String reason) throws SQLException {
        var parameters = Map.of("name", name, "reason", reason, "lock_timeout", Statements.briefLockTimeout(bound));
        try {
            return run(
                    pauseFirst,
                    parameters,
                    rows -> rows.next() ? Optional.of(rows.getBoolean("has_nodes")) : Optional.empty());
        } catch (SQLException e) {
            if (SqlState.LOCK_NOT_AVAILABLE.isIn(e)) {
                return Optional.empty(); // another's insert hangs
            }
            throw e;
        }
    }

    boolean hasRow(String name) throws SQLException {
        return run(hasRow, Map.of("name", name), ResultSet::next);
    }

    /**
     * Whether it was paused before; empty if it has no row, or that is locked.
     *
     * @param reason empty to resume it
     */
    Optional<Boolean> pause(String name, String reason) throws SQLException {
        return run(
                pause,
                Map.of("name", name, "reason", reason),
                rows -> rows.next() ? Optional.of(rows.getBoolean("was_paused")) : Optional.empty());
    }

    /** Whose lease of that name is not released; empty if there is none. */
    Optional<LeaseKey> unreleased(String name) throws SQLException {
        return run(
                unreleased,
                Map.of("name", name),
                rows -> rows.next()
                        ? Optional.of(new LeaseKey(name, rows.getString("holder"), rows.getLong("fence")))
                        : Optional.empty());
    }

    /** Whether it was ended; no if it has ended by itself, or its row is locked. */
    boolean releaseByForce(LeaseKey key) throws SQLException {
        var parameters = Map.of("name", key.name(), "holder", key.holder(), "fence", key.fence());
        return run(releaseByForce, parameters, ResultSet::next);
    }

    private <T> T run(NamedSql sql, Map<String, ?> values, OwnTransaction.Reader<T> reader) throws SQLException {
        return statements.run(lane, bound, new Filled(sql, values), reader);
    }
}
