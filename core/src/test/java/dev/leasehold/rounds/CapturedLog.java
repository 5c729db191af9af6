package dev.leasehold.rounds;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What is logged in this JVM until it is closed; printed then after all. For tests that run alone. */
final class CapturedLog implements AutoCloseable {

    private final PrintStream standardError = System.err;
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();

    CapturedLog() {
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    }

    List<String> lines(String text) {
        return text().lines().filter(line -> line.contains(text)).toList();
    }

    String text() {
        return log.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        System.setErr(standardError);
        System.err.print(text());
    }
}
