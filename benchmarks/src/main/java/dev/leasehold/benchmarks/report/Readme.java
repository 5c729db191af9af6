package dev.leasehold.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file with a part between two markers that the tool writes. */
public final class Readme {

    static final String BEGIN = "<!-- figures: begin; written by the tool -->";
    static final String END = "<!-- figures: end -->";

    private Readme() {}

    /**
     * Replaces that part.
     *
     * @throws IllegalArgumentException if the file has none
     */
    public static void write(Path file, String part) throws IOException {
        String text = Files.readString(file);
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IllegalArgumentException(file + " has no part between " + BEGIN + " and " + END);
        }
        Files.writeString(file, text.substring(0, begin) + BEGIN + "\n\n" + part + "\n" + text.substring(end));
    }
}
