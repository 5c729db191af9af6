package dev.leasehold.cli;

import com.google.gson.JsonElement;
import java.io.PrintWriter;

/**
 * Where a command writes.
 *
 * @param out what was asked for
 * @param err what is said besides
 * @param isJson whether {@code out} is for a program: one document, and no other line
 * @param paint colours, for people at a terminal
 * @param terminal whose width tables keep
 */
record Output(PrintWriter out, PrintWriter err, boolean isJson, Paint paint, Terminal terminal) {

    private static final String NAME = "leasehold: ";
    private static final int LINE = 100;

    /** A line for people, as it is. */
    void line(String text) {
        out.println(text);
        out.flush();
    }

    /** What is said besides, on one line of standard error. */
    void note(String text) {
        err.println(NAME + PlainText.inALine(text));
        err.flush();
    }

    /** A table; cut to the terminal if there is one. */
    void table(TextTable table) {
        table.lines(terminal.isOutput() ? terminal.columns() : Integer.MAX_VALUE, paint)
                .forEach(out::println);
        out.flush();
    }

    /** The document that {@code --json} asks for. */
    void document(JsonElement document) {
        line(Json.pretty(document));
    }

    /** How wide a paragraph is. */
    int lineWidth() {
        return terminal.isOutput() ? Math.min(terminal.columns(), LINE) : LINE;
    }
}
