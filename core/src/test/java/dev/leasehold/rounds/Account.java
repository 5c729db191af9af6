package dev.leasehold.rounds;

import dev.leasehold.testkit.TestDatabase;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;

/**
 * Has the database itself write down what becomes of the rows of the lease table, by triggers: each statement that says which
 * slot was counted last, also one that says what stands there already, and each beginning, renewal and end of a hold.
 */
final class Account {

    private final TestDatabase database;

    /**
     * A statement that has set the last counted slot.
     *
     * @param previous what stood there before; the same as the slot in a second count of it
     * @param isOfAcquire whether it has acquired the lease too; then it counts a run only if the promise is at most once
     */
    record Count(String name, Instant slot, Instant previous, long fence, boolean isOfAcquire) {}

    /**
     * From an acquisition to the end that its lease came to.
     *
     * @param until when it was released; if it never was, when it ran out, by its last renewal
     * @param hasTakenOver whether the holder before had not released it
     */
    record Hold(
            String name,
            String holder,
            long fence,
            Instant from,
            Instant until,
            boolean isReleased,
            boolean hasTakenOver) {

        long pid() {
            return Long.parseLong(holder.split(":", -1)[1]);
        }
    }

    interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    private Account(TestDatabase database) {
        this.database = database;
    }

    /** From now on; the lease table must be there. */
    static Account of(TestDatabase database) throws SQLException {
        for (String sql : List.of("""
                create table counted (name text, slot timestamptz, previous timestamptz, fence bigint, of_acquire boolean)
                """, """
                create function account_of_slots() returns trigger language plpgsql as $$
                begin
                  insert into counted
                  values (new.name, new.done_slot, old.done_slot, new.fence, new.fence <> old.fence);
                  return null;
                end $$
                """, """
                create trigger account_of_slots after update of done_slot on leases
                for each row when (new.done_slot is not null) execute function account_of_slots()
                """, """
                create table held (
                  name text, holder text, fence bigint, at timestamptz, expires_at timestamptz, ended boolean, takeover boolean)
                """, """
                create function account_of_holds() returns trigger language plpgsql as $$
                begin
                  insert into held
                  values (new.name, new.holder, new.fence, clock_timestamp(), new.expires_at,
                          new.expires_at = 'epoch' or new.holder = '-',
                          new.fence <> old.fence and old.expires_at > 'epoch' and old.holder <> '-');
                  return null;
                end $$
                """, """
                create trigger account_of_holds after update on leases
                for each row execute function account_of_holds()
                """)) {
            database.execute(sql);
        }
        return new Account(database);
    }

    /** In no order. */
    List<Count> counts() throws SQLException {
        return read(
                """
                select name, slot, coalesce(previous, '-infinity') as previous, fence, of_acquire
                  from counted
                """,
                row -> new Count(
                        row.getString("name"),
                        instant(row, "slot"),
                        instant(row, "previous"),
                        row.getLong("fence"),
                        row.getBoolean("of_acquire")));
    }

    /** By name and time. */
    List<Hold> holds() throws SQLException {
        return read(
                """
                select name,
                       fence,
                       min(holder) filter (where not ended) as holder,
                       min(at) as since,
                       coalesce(max(greatest(at, expires_at)) filter (where ended),
                                max(expires_at)) as until,
                       bool_or(ended) as released,
                       bool_or(takeover) as takeover
                  from held
                 group by name, fence
                having not bool_and(ended)
                 order by name, since
                """,
                row -> new Hold(
                        row.getString("name"),
                        row.getString("holder"),
                        row.getLong("fence"),
                        instant(row, "since"),
                        instant(row, "until"),
                        row.getBoolean("released"),
                        row.getBoolean("takeover")));
    }

    Instant now() throws SQLException {
        return read("select clock_timestamp() as now", row -> instant(row, "now"))
                .get(0);
    }

    <T> List<T> read(String sql, Reader<T> reader) throws SQLException {
        try (var connection = database.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            var all = new ArrayList<T>();
            while (rows.next()) {
                all.add(reader.read(rows));
            }
            return all;
        }
    }

    static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
