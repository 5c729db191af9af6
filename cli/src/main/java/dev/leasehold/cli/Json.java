package dev.leasehold.cli;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A JSON object that is built field by field, and stays in that order. Names of fields are {@code snake_case}; one without a
 * value is {@code null}, never missing; instants are ISO-8601 in UTC; durations are seconds, and their names end in
 * {@code _seconds}.
 */
final class Json {

    private static final Gson COMPACT =
            new GsonBuilder().serializeNulls().disableHtmlEscaping().create();
    private static final Gson PRETTY = new GsonBuilder()
            .serializeNulls()
            .disableHtmlEscaping()
            .setPrettyPrinting()
            .create();

    private static final int MILLIS = 3;
    private static final int NANOS_OF_A_MILLI = 1_000_000;

    private final JsonObject object = new JsonObject();

    static Json object() {
        return new Json();
    }

    Json with(String name, String value) {
        object.addProperty(name, value);
        return this;
    }

    Json with(String name, long value) {
        object.addProperty(name, value);
        return this;
    }

    Json with(String name, boolean value) {
        object.addProperty(name, value);
        return this;
    }

    Json with(String name, Instant value) {
        return with(name, value.toString());
    }

    Json with(String name, JsonElement value) {
        object.add(name, value);
        return this;
    }

    /** A string, a number, an instant or null. */
    Json with(String name, Optional<?> value) {
        return with(name, value.map(Json::element).orElse(JsonNull.INSTANCE));
    }

    /** In seconds, to the millisecond. */
    Json withSeconds(String name, Duration value) {
        return with(name, seconds(value));
    }

    /** As {@link #withSeconds(String, Duration)}, or null. */
    Json withSeconds(String name, Optional<Duration> value) {
        return with(name, value.<JsonElement>map(Json::seconds).orElse(JsonNull.INSTANCE));
    }

    JsonObject build() {
        return object;
    }

    private static JsonElement element(Object value) {
        return value instanceof Number number ? new JsonPrimitive(number) : new JsonPrimitive(value.toString());
    }

    private static JsonPrimitive seconds(Duration duration) {
        // milliseconds of "infinity" would be too many for a long
        BigDecimal seconds = BigDecimal.valueOf(duration.getSeconds())
                .add(BigDecimal.valueOf(Math.floorDiv(duration.getNano(), NANOS_OF_A_MILLI), MILLIS))
                .stripTrailingZeros();
        return new JsonPrimitive(seconds.scale() < 0 ? seconds.setScale(0) : seconds);
    }

    /** Over several lines. */
    static String pretty(JsonElement element) {
        return harmless(PRETTY.toJson(element));
    }

    /** On one line. */
    static String inALine(JsonElement element) {
        return harmless(COMPACT.toJson(element));
    }

    /** JSON may hold control signs above U+007E, and a terminal might obey them. They stand in strings only. */
    private static String harmless(String json) {
        return PlainText.UNSEEN_BUT_LINE_BREAKS
                .matcher(json)
                .replaceAll(sign -> sign.group()
                        .chars()
                        .mapToObj(unit -> String.format("\\\\u%04x", unit))
                        .collect(Collectors.joining()));
    }
}
