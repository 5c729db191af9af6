package dev.leasehold.rounds;

import dev.leasehold.Leases;
import dev.leasehold.LeasesBuilder;
import dev.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** Instances on one database of a test, and the database's own account of every slot that is counted. */
final class Instances implements AutoCloseable {

    private final TestDatabase database;
    private final List<Leases> leases = new CopyOnWriteArrayList<>();
    private final List<Rounds> rounds = new CopyOnWriteArrayList<>();
    private final List<ManualRounds> manual = new CopyOnWriteArrayList<>();

    Instances(TestDatabase database) {
        this.database = database;
        leases();
        try {
            keepAccount();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void keepAccount() throws SQLException {
        database.execute("create table counted (name text, slot timestamptz, previous timestamptz, fence bigint)");
        database.execute("""
                create function account() returns trigger language plpgsql as $$
                begin
                  insert into counted values (new.name, new.done_slot, old.done_slot, new.fence);
                  return null;
                end $$
                """);
        database.execute("""
                create trigger account after update of done_slot on leases
                for each row
                when (new.done_slot is distinct from old.done_slot and new.done_slot is not null)
                execute function account()
                """);
    }

    /** So long that a machine that stands still for a moment loses none. */
    Leases leases() {
        return leases(Duration.ofMinutes(1));
    }

    Leases leases(Duration ttl) {
        return leases(builder -> builder.ttl(ttl));
    }

    Leases leases(UnaryOperator<LeasesBuilder> settings) {
        var one = settings.apply(Leases.on(database.dataSource())).build();
        leases.add(one);
        return one;
    }

    Rounds start(Leases one, String node, Round... some) {
        return start(one, builder -> builder.node(node), some);
    }

    Rounds start(Leases one, UnaryOperator<RoundsBuilder> settings, Round... some) {
        var builder = settings.apply(Rounds.on(one).node("a"));
        for (Round round : some) {
            builder.add(round);
        }
        var started = builder.start();
        rounds.add(started);
        return started;
    }

    ManualRounds byHand(Leases one, Round... some) {
        return byHand(one, builder -> builder, some);
    }

    ManualRounds byHand(Leases one, UnaryOperator<RoundsBuilder> settings, Round... some) {
        var builder = settings.apply(Rounds.on(one).node("a"));
        for (Round round : some) {
            builder.add(round);
        }
        var made = builder.byHand();
        manual.add(made);
        return made;
    }

    /** What is held under that name, or rests, has run out now, as after a death or a long time; who holds it must be closed. */
    void runOut(String name) throws SQLException {
        database.execute("update leases set expires_at = clock_timestamp() - interval '1 millisecond'"
                + " where expires_at > 'epoch' and name = '" + name + "'");
    }

    /** How many counted runs the database has seen. */
    long counted() throws SQLException {
        return database.queryForLong("select count(*) from counted");
    }

    long counted(String name) throws SQLException {
        return database.queryForLong("select count(*) from counted where name = '" + name + "'");
    }

    void stopAll() {
        rounds.forEach(one -> one.stop(Duration.ofSeconds(10)));
    }

    @Override
    public void close() {
        rounds.forEach(one -> one.stop(Duration.ofSeconds(1), Duration.ofSeconds(4)));
        manual.forEach(ManualRounds::close);
        leases.forEach(Leases::close);
    }
}
