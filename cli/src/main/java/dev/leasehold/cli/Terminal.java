package dev.leasehold.cli;

import java.io.Console;
import java.lang.reflect.InvocationTargetException;
import java.util.Map;

/**
 * Whether the streams of the process are terminals, and how wide one is.
 *
 * @param isInput whether somebody can answer a question
 * @param isOutput whether somebody looks at the output
 * @param isDumb whether it understands no escapes
 * @param size how large it is
 */
record Terminal(boolean isInput, boolean isOutput, boolean isDumb, TerminalSize size) {

    /** What the start script has found out: some of the words {@code in} and {@code out}. Java can't tell the two apart. */
    private static final String FOUND_BY_SCRIPT = "leasehold.terminal";

    /** No terminal at all. */
    static Terminal none() {
        return new Terminal(false, false, true, TerminalSize.USUAL);
    }

    static Terminal ofProcess(Map<String, String> environment) {
        String found = System.getProperty(FOUND_BY_SCRIPT);
        boolean isInput = found == null ? isConsole() : found.contains("in");
        boolean isOutput = found == null ? isConsole() : found.contains("out");
        boolean isDumb = "dumb".equals(environment.getOrDefault("TERM", "dumb"));
        return new Terminal(isInput, isOutput, isDumb, isOutput ? TerminalSize.now(environment) : TerminalSize.USUAL);
    }

    /** It may have become larger or smaller. */
    Terminal again(Map<String, String> environment) {
        return new Terminal(isInput, isOutput, isDumb, isOutput ? TerminalSize.now(environment) : size);
    }

    /** Whether text can be overwritten there. */
    boolean isScreen() {
        return isOutput && !isDumb;
    }

    /** Since Java 22 there is a console without a terminal too, and a method that tells. */
    @SuppressWarnings("SystemConsoleNull") // until Java 21 it is
    private static boolean isConsole() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException e) {
            return true;
        } catch (IllegalAccessException | InvocationTargetException e) {
            return false;
        }
    }
}
