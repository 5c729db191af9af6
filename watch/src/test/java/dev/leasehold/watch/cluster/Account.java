package dev.leasehold.watch.cluster;

import dev.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The account that the database keeps, by triggers, of every slot that a round was counted for, and every acquisition. */
final class Account {

    private final TestDatabase database;

    private Account(TestDatabase database) {
        this.database = database;
    }

    static Account open(TestDatabase database) throws SQLException {
        database.execute("""
                create table counted (
                  lease  text not null,
                  slot   timestamptz not null,
                  holder text not null,
                  fence  bigint not null,
                  at     timestamptz not null default clock_timestamp()
                )
                """);
        database.execute("""
                create function account() returns trigger language plpgsql as $$
                begin
                  insert into counted (lease, slot, holder, fence)
                  values (new.name, new.done_slot, new.holder, new.fence);
                  return null;
                end $$
                """);
        database.execute("""
                create trigger account after update of done_slot on leases
                for each row when (new.done_slot is distinct from old.done_slot and new.done_slot is not null)
                execute function account()
                """);
        database.execute("""
                create table acquired (
                  lease  text not null,
                  fence  bigint not null,
                  at     timestamptz not null
                )
                """);
        database.execute("""
                create function acquired() returns trigger language plpgsql as $$
                begin
                  insert into acquired (lease, fence, at) values (new.name, new.fence, new.taken_at);
                  return null;
                end $$
                """);
        database.execute("""
                create trigger acquired after update of fence on leases
                for each row when (new.fence is distinct from old.fence)
                execute function acquired()
                """);
        return new Account(database);
    }

    List<String> countedTwice() throws SQLException {
        return strings("select lease || ' at ' || slot from counted group by lease, slot having count(*) > 1");
    }

    long countedSince(String lease, Instant since) throws SQLException {
        return database.queryForLong(
                "select count(*) from counted where lease = '" + lease + "' and at >= '" + since + "'");
    }

    boolean has(String lease, Instant slot) throws SQLException {
        return database.queryForLong(
                        "select count(*) from counted where lease = '" + lease + "' and slot = '" + slot + "'")
                > 0;
    }

    /** When that lease was acquired next after the acquisition of that fence; empty if it was not. */
    Optional<Instant> acquiredAfter(String lease, long fence) throws SQLException {
        long millis = database.queryForLong("select extract(epoch from min(at)) * 1000 from acquired where lease = '"
                + lease + "' and fence > " + fence);
        return millis == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
    }

    private List<String> strings(String sql) throws SQLException {
        try (var connection = database.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            var all = new ArrayList<String>();
            while (rows.next()) {
                all.add(rows.getString(1));
            }
            return all;
        }
    }
}
