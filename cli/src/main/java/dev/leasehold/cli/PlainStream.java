package dev.leasehold.cli;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Makes harmless what is printed: for the log, which tells names and servers' messages as they are. Thread-safe. */
final class PlainStream extends PrintStream {

    PlainStream(OutputStream to) {
        super(to, true, StandardCharsets.UTF_8);
    }

    /** One event, one line. */
    @Override
    public void println(String line) {
        super.println(line == null ? null : PlainText.inALine(line));
    }

    /** A line of a stack trace. */
    @Override
    public void println(Object line) {
        super.println((Object) PlainText.asItIs(String.valueOf(line)));
    }

    @Override
    public void print(String text) {
        super.print(text == null ? null : PlainText.asItIs(text));
    }
}
