package dev.leasehold.watch.values;

/** A value from outside breaks a rule; the message names field, value and rule. */
public final class InvalidValueException extends RuntimeException {

    private static final long serialVersionUID = 1L;
    private static final int SHOWN = 200;

    private final String field;

    public InvalidValueException(String field, Object value, String rule) {
        super(field + " is '" + shortened(String.valueOf(value)) + "': " + rule);
        this.field = field;
    }

    public String field() {
        return field;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }

    private static String shortened(String value) {
        return value.length() <= SHOWN ? value : value.substring(0, SHOWN) + "...";
    }
}
