package dev.leasehold.cli;

import com.google.gson.JsonElement;
import java.io.PrintWriter;

/**
 * Where a command writes.
 *
 * @param out what was asked for
 * @param err what is said besides
 * @param form what {@code out} is
 * @param paint colours, for people at a terminal
 * @param terminal whose width tables keep
 */
record Output(PrintWriter out, PrintWriter err, Form form, Paint paint, Terminal terminal) {

    /** What standard output is. */
    enum Form {
        /** For people. */
        TEXT,
        /** One JSON document, and no other line. */
        DOCUMENT,
        /** A JSON document a line. */
        DOCUMENTS
    }

    private static final String NAME = "leasehold: ";
    private static final int LINE = 100;

    /** Whether it is for a program. */
    boolean isJson() {
        return form != Form.TEXT;
    }

    /** A line for people, as it is. */
    void line(String text) {
        out.println(text);
        out.flush();
    }

    /** DDL over several lines; made harmless at a terminal, and exact for a file. */
    void ddl(String ddl) {
        String text = ddl.stripTrailing();
        line(terminal.isOutput() ? PlainText.asItIs(text) : text);
    }

    /** What is said besides, on one line of standard error. */
    void note(String text) {
        err.println(NAME + PlainText.inALine(text));
        err.flush();
    }

    /** A table; cut to the terminal if there is one. */
    void table(TextTable table) {
        table.lines(terminal.isOutput() ? terminal.size().columns() : Integer.MAX_VALUE, paint)
                .forEach(out::println);
        out.flush();
    }

    /** The document that {@code --json} asks for. */
    void document(JsonElement document) {
        line(form == Form.DOCUMENTS ? Json.inALine(document) : Json.pretty(document));
    }

    /** How wide a paragraph is. */
    int lineWidth() {
        return terminal.isOutput() ? Math.min(terminal.size().columns(), LINE) : LINE;
    }

    /** The same with another writer, or another form. */
    Output with(PrintWriter other, Form otherForm, Terminal otherTerminal) {
        return new Output(other, err, otherForm, paint, otherTerminal);
    }
}
