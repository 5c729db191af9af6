package dev.leasehold.spring;

import org.jspecify.annotations.Nullable;

/** A property {@code leasehold.*} has a value that cannot be used. The application does not start. */
public final class InvalidPropertyException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final String description;
    private final String action;

    public InvalidPropertyException(String description, String action, @Nullable Throwable cause) {
        super(description + ". " + action, cause);
        this.description = description;
        this.action = action;
    }

    /** What is wrong: the property, its value and the rule. */
    public String description() {
        return description;
    }

    /** What to do about it. */
    public String action() {
        return action;
    }
}
