package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each statement as people try it by hand: plain text with the parameters filled in, as psql sends it. */
class StatementsByHandTest {

    /** Parts of statements. */
    private static final Set<String> PARTS = Set.of(
            "MANY_SLOTS",
            "ONE_SLOT",
            "ASKED",
            "ASKED_ONE_GRID",
            "MANY_DONE",
            "ONE_DONE",
            "MANY_UNCOUNTED",
            "ONE_UNCOUNTED");

    private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-z_]+)");

    private static final Map<String, String> VALUES = Map.ofEntries(
            Map.entry("name", "'sweep'"),
            Map.entry("names", "array['sweep', 'alerts']"),
            Map.entry("holder", "'me'"),
            Map.entry("holders", "array['me', 'me']"),
            Map.entry("fence", "1"),
            Map.entry("fences", "array[1, 1]"),
            Map.entry("ttl", "'120000ms'"),
            Map.entry("ttl_micros", "120000000"),
            Map.entry("ttls_micros", "array[120000000, 120000000]"),
            Map.entry("limit_micros", "-1"),
            Map.entry("limits_micros", "array[-1, -1]"),
            Map.entry("old_limit_micros", "60000000"),
            Map.entry("rest_micros", "1000000"),
            Map.entry("unused_micros", "3600000000"),
            Map.entry("lock_timeout", "'200ms'"),
            Map.entry("periods_micros", "array[60000000, 60000000]"),
            Map.entry("offsets_micros", "array[0, 0]"),
            Map.entry("period_micros", "60000000"),
            Map.entry("offset_micros", "0"),
            Map.entry("windows", "array['', '']"),
            Map.entry("window", "''"),
            Map.entry("stamps", "array['at end', 'at end']"),
            Map.entry("stamp", "'at end'"),
            Map.entry("slot", "''"),
            Map.entry("slots", "array['', '']"),
            Map.entry("is_begun", "true"),
            Map.entry("are_begun", "array[true, true]"),
            Map.entry("made_due", "array[]::text[]"),
            Map.entry("reason", "'by hand'"),
            Map.entry("most", "1000"));

    private final TestDatabase database = TestPostgres.freshDatabase();

    private static Map<String, String> statements() throws IllegalAccessException {
        var statements = new LinkedHashMap<String, String>();
        for (Field field : LeaseSql.class.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.get(null) instanceof String text) {
                statements.put(field.getName(), text);
            }
        }
        statements.keySet().removeAll(PARTS);
        return statements;
    }

    private static String filled(String statement) {
        return PARAMETER.matcher(statement).replaceAll(match -> {
            String value = VALUES.get(match.group(1));
            if (value == null) {
                throw new AssertionError("no value for :" + match.group(1));
            }
            return Matcher.quoteReplacement(value);
        });
    }

    @Test
    void everyStatementRunsWithItsParametersFilledIn() throws Exception {
        Leases.on(database.dataSource()).build().close();
        var statements = statements();
        assertThat(statements).hasSizeGreaterThan(30).containsKeys("ACQUIRE", "RENEW", "RELEASE", "FENCE");
        try (var psql = database.dataSourceAs(database.user(), "&preferQueryMode=simple")
                        .getConnection();
                var statement = psql.createStatement()) {
            psql.setAutoCommit(false);
            for (var one : statements.entrySet()) {
                statement.execute(rows());
                statement.execute(filled(LeaseSql.BOUND_LOCK_WAIT)); // what is put back must have been kept before
                assertRuns(one.getKey(), () -> statement.execute(filled(one.getValue())));
                psql.rollback();
            }
        }
    }

    private static String rows() {
        return "insert into leases (name, holder, expires_at, fence) values ('sweep', 'me', now() + interval '1 min', 1),"
                + " ('alerts', 'another', 'epoch', 1)";
    }

    private interface Execution {
        boolean run() throws SQLException;
    }

    private static void assertRuns(String name, Execution execution) {
        try {
            boolean unused = execution.run();
        } catch (SQLException e) {
            throw new AssertionError(name + " does not run: " + e.getMessage(), e);
        }
    }

    @Test
    void byHandALeaseIsAcquiredRenewedFencedAndReleased() throws Exception {
        Leases.on(database.dataSource()).build().close();
        database.execute("insert into leases (name, holder, expires_at, fence) values ('sweep', '-', 'epoch', 1)");
        database.execute(filled(LeaseSql.ACQUIRE));
        assertThat(database.queryForString(filled(LeaseSql.LOOK))).isEqualTo("sweep");
        database.execute("update leases set fence = 1"); // what is filled in
        for (String changing : List.of(LeaseSql.RENEW, LeaseSql.RENEW_WAITING, LeaseSql.FENCE, LeaseSql.RELEASE)) {
            assertThat(database.queryForString(filled(changing))).as(changing).isNotNull();
        }
        assertThat(database.queryForString("select holder || (expires_at = 'epoch') from leases"))
                .isEqualTo("metrue");
    }
}
