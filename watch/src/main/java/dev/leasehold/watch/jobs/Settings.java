package dev.leasehold.watch.jobs;

/**
 * Refuses settings that break their rule.
 *
 * @param prefix what the names of the settings begin with, without the last dot
 */
public record Settings(String prefix) {

    /** Throws an {@link IllegalArgumentException} that names setting, value and rule, unless the rule is kept. */
    public void require(boolean kept, String name, Object value, String rule) {
        if (!kept) {
            throw new IllegalArgumentException(prefix + "." + name + " is " + value + ", but must be " + rule);
        }
    }
}
