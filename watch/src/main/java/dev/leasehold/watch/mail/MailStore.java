package dev.leasehold.watch.mail;

import java.time.Duration;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Which domains are due, and what was found. */
final class MailStore {

    // By the database's clock. Those never checked come first, then those that have waited longest: a domain that fails
    // goes to the end of the queue like any other.
    private static final String DUE = """
            select d.id, d.name
            from domain d
            left join mail_check c on c.domain_id = d.id
            where c.domain_id is null
               or c.checked_at < statement_timestamp() - make_interval(secs => :recheck_seconds)
               or (not c.conclusive and c.checked_at < statement_timestamp() - make_interval(secs => :retry_seconds))
            order by c.checked_at nulls first, d.id
            limit :most
            """;

    private static final String STILL_THERE = """
            select id
            from domain
            where id = :domain and name = :name
            for key share
            """;

    // What a successful look-up gave is never replaced by one that failed.
    private static final String FINDING = """
            insert into mail_finding (domain_id, subject, status, record, explanation, found_at)
            values (:domain, :subject, :status, :record, :explanation, statement_timestamp())
            on conflict (domain_id, subject) do update
            set status = excluded.status,
                record = excluded.record,
                explanation = excluded.explanation,
                found_at = excluded.found_at
            where excluded.status <> 'unknown' or mail_finding.status = 'unknown'
            """;

    private static final String CHECKED = """
            insert into mail_check (domain_id, checked_at, conclusive)
            values (:domain, statement_timestamp(), :conclusive)
            on conflict (domain_id) do update
            set checked_at = excluded.checked_at,
                conclusive = excluded.conclusive
            """;

    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;

    MailStore(JdbcClient jdbc, TransactionTemplate transactions) {
        this.jdbc = jdbc;
        this.transactions = transactions;
    }

    List<Domain> due(Duration recheckAfter, Duration retryAfter, int most) {
        return jdbc.sql(DUE)
                .param("recheck_seconds", recheckAfter.toMillis() / 1000.0)
                .param("retry_seconds", retryAfter.toMillis() / 1000.0)
                .param("most", most)
                .query((row, number) -> new Domain(row.getLong("id"), row.getString("name")))
                .list();
    }

    /** One transaction; nothing is written of a domain that is gone. */
    void save(Domain domain, List<Finding> findings) {
        transactions.executeWithoutResult(transaction -> {
            boolean there = jdbc.sql(STILL_THERE)
                    .param("domain", domain.id())
                    .param("name", domain.name())
                    .query(Long.class)
                    .optional()
                    .isPresent();
            if (there) {
                findings.forEach(finding -> save(domain, finding));
                boolean conclusive = findings.stream().noneMatch(finding -> finding.status() == Status.UNKNOWN);
                jdbc.sql(CHECKED)
                        .param("domain", domain.id())
                        .param("conclusive", conclusive)
                        .update();
            }
        });
    }

    private void save(Domain domain, Finding finding) {
        jdbc.sql(FINDING)
                .param("domain", domain.id())
                .param("subject", finding.subject())
                .param("status", finding.status().word())
                .param("record", finding.record())
                .param("explanation", finding.explanation())
                .update();
    }
}
