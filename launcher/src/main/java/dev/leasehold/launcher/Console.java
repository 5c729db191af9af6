package dev.leasehold.launcher;

import java.io.PrintStream;

/** What the person at the terminal reads: whole lines, one after another, whoever writes. Thread-safe. */
final class Console {

    private static final String BOLD = "1";
    private static final String LOUD = "1;31";
    private static final String[] NODE_COLOURS = {"36", "33", "35", "32", "34", "96", "93", "95"};

    private final PrintStream out;
    private final boolean colour;

    Console(PrintStream out, boolean colour) {
        this.out = out;
        this.colour = colour;
    }

    synchronized void say(String line) {
        out.println(painted(BOLD, line));
        out.flush();
    }

    synchronized void shout(String line) {
        out.println(painted(LOUD, line));
        out.flush();
    }

    /** Many lines that belong together. */
    synchronized void show(String text) {
        out.print(text);
        out.flush();
    }

    /** A line of a node's output; {@code place} picks the colour of its label. */
    synchronized void relay(String label, int place, String line) {
        out.println(painted(NODE_COLOURS[place % NODE_COLOURS.length], label + " |") + " " + line);
        out.flush();
    }

    private String painted(String code, String text) {
        return colour ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }
}
