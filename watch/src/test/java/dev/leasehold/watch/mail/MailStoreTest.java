package dev.leasehold.watch.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.watch.testing.MigratedDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MailStoreTest {

    private final MigratedDatabase database = new MigratedDatabase();
    private final MailStore store = new MailStore(database.jdbc(), database.transactions());

    @AfterEach
    void stop() {
        database.close();
    }

    @Test
    void domainThatIsBeingRemovedWhileItsFindingsAreWrittenGetsNoneAndFailsNothing() throws Exception {
        database.aside()
                .sql("insert into domain (name, source) values ('example.test', 'api')")
                .update();
        Domain domain = store.due(Duration.ofHours(1), Duration.ofHours(1), 10).get(0);
        CompletableFuture<Void> save;
        try (var remover = database.connect();
                var statement = remover.createStatement()) {
            remover.setAutoCommit(false);
            statement.execute("delete from domain");
            save = CompletableFuture.runAsync(() ->
                    store.save(domain, List.of(new Finding("spf", Status.MISSING, null, "There is no SPF record."))));
            database.awaitSomeoneWhoWaitsForALock();
            remover.commit();
        }
        save.get(30, TimeUnit.SECONDS);

        assertThat(database.count("mail_finding")).isZero();
    }
}
