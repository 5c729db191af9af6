package dev.leasehold;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A statement of {@link LeaseSql} made ready for JDBC: its {@code :parameters} become question marks, and its table
 * becomes the configured one.
 *
 * @param jdbc the text for JDBC
 * @param parameters the names of the parameters, in the order of the question marks
 */
record NamedSql(String jdbc, List<String> parameters) {

    private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-z_]+)");
    private static final Pattern TABLE = Pattern.compile("\\bleases\\b");

    static NamedSql of(String text, TableName table) {
        var names = new ArrayList<String>();
        String positional = PARAMETER.matcher(text).replaceAll(match -> {
            names.add(match.group(1));
            return "?";
        });
        String jdbc = TABLE.matcher(positional).replaceAll(Matcher.quoteReplacement(table.quoted()));
        return new NamedSql(jdbc, List.copyOf(names));
    }
}
