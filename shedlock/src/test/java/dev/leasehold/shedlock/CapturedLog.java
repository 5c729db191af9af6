package dev.leasehold.shedlock;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** What is logged meanwhile, by all threads: slf4j-simple writes to the standard error of the moment, as its properties say. */
final class CapturedLog implements AutoCloseable {

    private final PrintStream before = System.err;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    CapturedLog() {
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    }

    String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        System.setErr(before);
        before.print(text());
    }
}
