package dev.leasehold.watch.sweep;

/**
 * A kind of row that goes after a time, with the statement that deletes a batch of them.
 *
 * <p>The rows are locked, passing over those that others have locked, and then deleted where they lie: no statement
 * waits for a row. Oldest first, by the index where there is one. Only the database's clock decides.
 */
enum Leftover {
    PASSKEY_CHALLENGE("expired passkey challenges", """
            delete from passkey_challenge
            where ctid = any (array(
              select ctid
              from passkey_challenge
              where expires_at < statement_timestamp()
              order by expires_at
              limit :most
              for update skip locked))
            """),
    SSO_REQUEST("expired single-sign-on requests", """
            delete from sso_request
            where ctid = any (array(
              select ctid
              from sso_request
              where expires_at < statement_timestamp()
              order by expires_at
              limit :most
              for update skip locked))
            """),
    CHECK_RESULT("old check results", """
            delete from check_result
            where ctid = any (array(
              select ctid
              from check_result
              where checked_at < statement_timestamp() - make_interval(secs => :result_retention_seconds)
              order by checked_at
              limit :most
              for update skip locked))
            """),
    INSTANCE("instances that are gone", """
            delete from instance
            where ctid = any (array(
              select ctid
              from instance
              where beat_at < statement_timestamp() - make_interval(secs => :instance_retention_seconds)
              order by beat_at
              limit :most
              for update skip locked))
            """);

    private final String plural;
    private final String delete;

    Leftover(String plural, String delete) {
        this.plural = plural;
        this.delete = delete;
    }

    /** For a line of the log. */
    String plural() {
        return plural;
    }

    String delete() {
        return delete;
    }
}
