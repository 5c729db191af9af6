package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queries are shown without what may be a password. */
class QueryTextTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "alter role ops password $$s3cret$$; select 1 | alter role ops password ***",
                "ALTER ROLE ops ENCRYPTED PASSWORD 's3cret' | ALTER ROLE ops ENCRYPTED PASSWORD ***",
                "create subscription s connection 'host=h password=s3cret' | create subscription s connection 'host=h password ***",
                "create user mapping for a server b options (user 'c', Passwd 's3cret') | create user mapping for a server b options (user 'c', Passwd ***",
                "select dblink_connect('postgresql://a:s3cret@h/d') | select dblink_connect('postgresql://a:***",
                "update users set password_hash = 's3cret' | update users set password_hash ***"
            })
    void whatComesAfterASignOfAPasswordIsLeftOut(String query, String shown) {
        assertThat(QueryText.shown(query)).isEqualTo(shown);
    }

    @Test
    void otherQueriesAreALineOfThem() {
        assertThat(QueryText.shown("select\n  'http://localhost:8080/a', now()"))
                .isEqualTo("select 'http://localhost:8080/a', now()");
        assertThat(QueryText.shown("alter table users drop column password"))
                .isEqualTo("alter table users drop column password");
        assertThat(QueryText.shown("select 1 -- " + "x".repeat(100)))
                .hasSize(80)
                .endsWith("…");
    }
}
