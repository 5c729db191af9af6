package dev.leasehold.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How large the terminal is: {@code COLUMNS} and {@code LINES}, else what stty says, else as terminals used to be. */
record TerminalSize(int lines, int columns) {

    static final TerminalSize USUAL = new TerminalSize(24, 80);

    private static final Pattern LINES_AND_COLUMNS = Pattern.compile("(\\d{1,5}) (\\d{1,5})\\s*");
    private static final int NARROWEST = 20;
    private static final int LOWEST = 5;

    static TerminalSize now(Map<String, String> environment) {
        TerminalSize said = ofStty();
        return new TerminalSize(
                number(environment.get("LINES"), LOWEST, said.lines()),
                number(environment.get("COLUMNS"), NARROWEST, said.columns()));
    }

    private static TerminalSize ofStty() {
        try {
            Process stty = new ProcessBuilder("sh", "-c", "stty size </dev/tty 2>/dev/null").start();
            String said = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            stty.waitFor(1, TimeUnit.SECONDS);
            Matcher size = LINES_AND_COLUMNS.matcher(said);
            return size.matches()
                    ? new TerminalSize(
                            number(size.group(1), LOWEST, USUAL.lines()),
                            number(size.group(2), NARROWEST, USUAL.columns()))
                    : USUAL;
        } catch (IOException e) {
            return USUAL;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return USUAL;
        }
    }

    private static int number(@Nullable String digits, int least, int otherwise) {
        return digits != null && digits.matches("\\d{1,5}") && Integer.parseInt(digits) >= least
                ? Integer.parseInt(digits)
                : otherwise;
    }
}
