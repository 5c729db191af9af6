package dev.leasehold.spring.text;

import java.time.Duration;
import java.util.Optional;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.convert.DurationStyle;

/** Reads the texts of annotations, whose placeholders have values in the environment. Thread-safe. */
public final class AnnotationTexts {

    private final ConfigurableBeanFactory beans;

    /** Of annotations of that factory's beans. */
    public AnnotationTexts(ConfigurableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * The text with its placeholders filled in; empty for an empty one.
     *
     * @throws IllegalArgumentException for a placeholder that has no value
     */
    public Optional<String> text(String text) {
        String resolved = beans.resolveEmbeddedValue(text);
        if (resolved != null && resolved.contains("${")) {
            throw new IllegalArgumentException("there is no value for the placeholder in \"" + text + "\"");
        }
        return Optional.ofNullable(resolved).map(String::strip).filter(value -> !value.isEmpty());
    }

    /**
     * The duration that the text says, as Boot reads it; empty for an empty one.
     *
     * @param what the attribute
     * @throws IllegalArgumentException for another text; names the attribute, the value and the rule
     */
    public Optional<Duration> duration(String what, String text) {
        Optional<String> resolved = text(text);
        try {
            return resolved.map(DurationStyle::detectAndParse);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    what + " is \"" + resolved.orElse("") + "\", but must be a duration as 30s, 10m or PT1H", e);
        }
    }
}
