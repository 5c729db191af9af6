package dev.leasehold;

import dev.leasehold.internal.TableName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A statement of {@link LeaseSql} or {@link HistorySql} made ready for JDBC: its {@code :parameters} become question marks, and its
 * table becomes the configured one.
 *
 * @param jdbc the text for JDBC
 * @param parameters the names of the parameters, in the order of the question marks
 */
record NamedSql(String jdbc, List<String> parameters) {

    private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-z_]+)");

    /** A statement on the lease table. */
    static NamedSql of(String text, TableName table) {
        return of(text, TableShape.LEASES.name(), table);
    }

    /**
     * A statement on any table.
     *
     * @param written what the table is called in the text
     */
    static NamedSql of(String text, String written, TableName table) {
        var names = new ArrayList<String>();
        String positional = PARAMETER.matcher(text).replaceAll(match -> {
            names.add(match.group(1));
            return "?";
        });
        String jdbc = Pattern.compile("\\b" + written + "\\b")
                .matcher(positional)
                .replaceAll(Matcher.quoteReplacement(table.quoted()));
        return new NamedSql(jdbc, List.copyOf(names));
    }

    /** Statements on leases that are sent in one round trip, in one transaction; the rows of the last are the answer. */
    static NamedSql together(TableName table, String... statements) {
        return of(String.join(";\n", statements), table);
    }

    /** The same for one, where what is asked of many stands in that place. */
    static String ofOne(String statement, String many, String one) {
        if (!statement.contains(many)) {
            throw new IllegalArgumentException("the statement has nothing of many: " + statement);
        }
        return statement.replace(many, one);
    }

    /**
     * The same, with the next power of ten in its text. A plan that the server keeps for later belongs to the text: made for a table
     * of one page, it reads all of the table for each of the leases it is given, which thousands do not bear.
     */
    NamedSql forUpTo(int count) {
        long power = 1;
        while (power < count) {
            power *= 10;
        }
        return new NamedSql(jdbc + "\n/* up to " + power + " */", parameters);
    }

    /** A statement with its parameters bound, for the caller to execute and close. */
    PreparedStatement prepare(Connection connection, Map<String, ?> values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(jdbc);
        try {
            bind(connection, statement, values);
            return statement;
        } catch (Throwable thrown) {
            statement.close();
            throw thrown;
        }
    }

    void bind(Connection connection, PreparedStatement statement, Map<String, ?> values) throws SQLException {
        int index = 1;
        for (String name : parameters) {
            bind(connection, statement, index++, name, values.get(name));
        }
    }

    private static void bind(
            Connection connection, PreparedStatement statement, int index, String name, @Nullable Object value)
            throws SQLException {
        if (value instanceof String text) {
            statement.setString(index, text);
        } else if (value instanceof Long number) {
            statement.setLong(index, number);
        } else if (value instanceof Boolean yesOrNo) {
            statement.setBoolean(index, yesOrNo);
        } else if (value instanceof Instant instant) {
            statement.setObject(index, instant.atOffset(ZoneOffset.UTC));
        } else if (value instanceof String[] texts) {
            statement.setArray(index, connection.createArrayOf("text", texts));
        } else if (value instanceof Boolean[] answers) {
            statement.setArray(index, connection.createArrayOf("boolean", answers));
        } else if (value instanceof Long[] numbers) {
            statement.setArray(index, connection.createArrayOf("bigint", numbers));
        } else {
            throw new IllegalArgumentException("no value, or one of an unknown type, for parameter " + name);
        }
    }
}
