package dev.leasehold.examples.spring;

import dev.leasehold.Leases;
import dev.leasehold.testkit.TestDatabase;
import java.sql.SQLException;

/** Has the newsletter sent by somebody else, so that an end of the application need not wait for it. */
final class AnotherSender {

    /** Flyway comes to a schema that is not empty. */
    static final String[] OPTIONS = {"spring.flyway.baseline-on-migrate=true", "spring.flyway.baseline-version=0"};

    private AnotherSender() {}

    static void of(TestDatabase database) throws SQLException {
        try (Leases table = Leases.on(database.dataSource()).build()) {
            database.execute(
                    "insert into leases (name, holder, expires_at) values ('newsletter', 'another', 'infinity')");
        }
    }
}
