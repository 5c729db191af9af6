package dev.leasehold.benchmarks.subject;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** The statements that leases on a row began with: upsert, update by holder, delete by holder. */
public final class Original implements Subject {

    public static final String LABEL = "original statements";

    private static final String CREATE = """
            create table original_leases (
              name text primary key,
              holder text not null,
              taken_at timestamptz not null,
              expires_at timestamptz not null
            )
            """;

    private static final String ACQUIRE = """
            insert into original_leases as leases (name, holder, taken_at, expires_at)
            values (?, ?, now(), now() + ? * interval '1 millisecond')
            on conflict (name) do update
                set holder = excluded.holder,
                    taken_at = excluded.taken_at,
                    expires_at = excluded.expires_at
              where leases.expires_at < now()
            """;

    private static final String RENEW = """
            update original_leases
               set expires_at = now() + ? * interval '1 millisecond'
             where name = ?
               and holder = ?
            """;

    private static final String RELEASE = """
            delete from original_leases
             where name = ?
               and holder = ?
            """;

    @Override
    public String label() {
        return LABEL;
    }

    @Override
    public Optional<String> table() {
        return Optional.of("original_leases");
    }

    @Override
    public void createTable(DataSource dataSource) throws SQLException {
        Statements.update(dataSource, CREATE);
    }

    @Override
    public Contender contender(DataSource pool, Duration ttl) {
        return new Instance(pool, ttl.toMillis(), UUID.randomUUID().toString());
    }

    private record Instance(DataSource pool, long ttlMillis, String holder) implements Contender {

        @Override
        public Optional<Hold> tryAcquire(String name) throws SQLException {
            boolean won = Statements.update(pool, ACQUIRE, name, holder, ttlMillis) == 1;
            return won ? Optional.of(new Row(this, name)) : Optional.empty();
        }
    }

    private record Row(Instance instance, String name) implements Hold {

        @Override
        public void renew() throws SQLException {
            Statements.requireOne(
                    Statements.update(instance.pool(), RENEW, instance.ttlMillis(), name, instance.holder()));
        }

        @Override
        public void release() throws SQLException {
            Statements.requireOne(Statements.update(instance.pool(), RELEASE, name, instance.holder()));
        }
    }
}
