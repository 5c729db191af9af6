package dev.leasehold.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks how wide the terminal is: {@code COLUMNS}, else stty. */
final class TerminalSize {

    private static final Pattern ROWS_AND_COLUMNS = Pattern.compile("(\\d+) (\\d+)\\s*");
    private static final int NARROWEST = 20;
    private static final int DIGITS_OF_A_WIDTH = 5;

    private TerminalSize() {}

    static OptionalInt columns(Map<String, String> environment) {
        String columns = environment.getOrDefault("COLUMNS", "");
        if (columns.matches("\\d{1," + DIGITS_OF_A_WIDTH + "}") && Integer.parseInt(columns) >= NARROWEST) {
            return OptionalInt.of(Integer.parseInt(columns));
        }
        return ofStty();
    }

    private static OptionalInt ofStty() {
        try {
            Process stty = new ProcessBuilder("sh", "-c", "stty size </dev/tty 2>/dev/null").start();
            String said = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            stty.waitFor(1, TimeUnit.SECONDS);
            Matcher size = ROWS_AND_COLUMNS.matcher(said);
            return size.matches() && Integer.parseInt(size.group(2)) >= NARROWEST
                    ? OptionalInt.of(Integer.parseInt(size.group(2)))
                    : OptionalInt.empty();
        } catch (IOException e) {
            return OptionalInt.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return OptionalInt.empty();
        }
    }
}
