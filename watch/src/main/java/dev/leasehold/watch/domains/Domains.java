package dev.leasehold.watch.domains;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** The stored domains. */
@Component
public final class Domains {

    private final JdbcClient jdbc;

    Domains(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    List<Domain> all() {
        return jdbc.sql("""
                        select id, name, source, created_at
                          from domain
                         order by name
                        """).query((row, number) -> domain(row)).list();
    }

    /** By name, or else by id. */
    Optional<Domain> find(String nameOrId) {
        return jdbc.sql("""
                        select id, name, source, created_at
                          from domain
                         where name = lower(:key) or id::text = :key
                        """)
                .param("key", nameOrId)
                .query((row, number) -> domain(row))
                .optional();
    }

    /** Empty if the name is taken. */
    Optional<Domain> add(DomainName name) {
        return jdbc.sql("""
                        insert into domain (name, source)
                        values (:name, 'api')
                        on conflict (name) do nothing
                        returning id, name, source, created_at
                        """)
                .param("name", name.text())
                .query((row, number) -> domain(row))
                .optional();
    }

    boolean remove(long id) {
        return jdbc.sql("delete from domain where id = :id").param("id", id).update() == 1;
    }

    /** Makes the rows that came from the file be what the file says; part of the caller's transaction. */
    public void follow(List<DomainName> file) {
        String[] names = file.stream().map(DomainName::text).toArray(String[]::new);
        jdbc.sql("""
                        delete from domain
                         where source = 'file'
                           and not name = any (:names)
                        """).param("names", names).update();
        jdbc.sql("""
                        insert into domain (name, source)
                        select name, 'file'
                          from unnest(:names) as name
                        on conflict (name) do update
                           set source = excluded.source
                        """).param("names", names).update();
    }

    private static Domain domain(ResultSet row) throws SQLException {
        return new Domain(
                row.getLong("id"),
                row.getString("name"),
                row.getString("source"),
                row.getObject("created_at", OffsetDateTime.class).toInstant());
    }
}
