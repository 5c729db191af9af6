package dev.leasehold.benchmarks.report;

import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes maps, collections, texts and numbers as JSON (RFC 8259). */
public final class Json {

    private Json() {}

    public static String of(@Nullable Object value) {
        StringBuilder text = new StringBuilder();
        append(text, value, "\n");
        return text.append('\n').toString();
    }

    private static void append(StringBuilder text, @Nullable Object value, String indent) {
        String deeper = indent + "  ";
        if (value instanceof Map<?, ?> map) {
            text.append('{');
            String separator = deeper;
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                text.append(separator)
                        .append(quoted(String.valueOf(entry.getKey())))
                        .append(": ");
                append(text, entry.getValue(), deeper);
                separator = "," + deeper;
            }
            text.append(indent).append('}');
        } else if (value instanceof Collection<?> all) {
            text.append('[');
            String separator = deeper;
            for (Object one : all) {
                text.append(separator);
                append(text, one, deeper);
                separator = "," + deeper;
            }
            text.append(indent).append(']');
        } else if (value instanceof Double number) {
            // neither NaN nor the infinities are JSON
            text.append(Double.isFinite(number) ? String.valueOf(number) : "null");
        } else if (value instanceof Number || value instanceof Boolean || value == null) {
            text.append(value);
        } else {
            text.append(quoted(value.toString()));
        }
    }

    private static String quoted(String text) {
        return text.chars().mapToObj(c -> escaped((char) c)).collect(Collectors.joining("", "\"", "\""));
    }

    private static String escaped(char c) {
        if (c == '"' || c == '\\') {
            return "\\" + c;
        }
        return c < ' ' ? String.format("\\u%04x", (int) c) : String.valueOf(c);
    }
}
