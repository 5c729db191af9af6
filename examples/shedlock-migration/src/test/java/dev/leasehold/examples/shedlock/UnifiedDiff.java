package dev.leasehold.examples.shedlock;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A diff as {@code diff -u} writes it.
 *
 * @param files the hunks of each file, by its path
 */
record UnifiedDiff(Map<String, List<Hunk>> files) {

    /** Lines that follow each other in a file, before and after. */
    record Hunk(List<String> before, List<String> after) {}

    static UnifiedDiff of(String text) {
        var files = new LinkedHashMap<String, List<Hunk>>();
        List<Hunk> hunks = new ArrayList<>();
        for (String line : text.lines().toList()) {
            if (line.startsWith("+++ b/")) {
                hunks = new ArrayList<>();
                files.put(line.substring("+++ b/".length()), hunks);
            } else if (line.startsWith("@@")) {
                hunks.add(new Hunk(new ArrayList<>(), new ArrayList<>()));
            } else if (!line.startsWith("--- ")) {
                Hunk hunk = hunks.get(hunks.size() - 1);
                if (!line.startsWith("+")) {
                    hunk.before().add(line.substring(1));
                }
                if (!line.startsWith("-")) {
                    hunk.after().add(line.substring(1));
                }
            }
        }
        return new UnifiedDiff(files);
    }

    /** What a file was before; fails where the file is not what the diff says that it became. */
    String before(String file, String now) {
        String text = now;
        for (Hunk hunk : files.getOrDefault(file, List.of())) {
            String after = String.join("\n", hunk.after());
            int at = text.indexOf(after);
            if (at < 0 || text.indexOf(after, at + 1) >= 0) {
                throw new AssertionError("these lines are not once in " + file + ":\n" + after);
            }
            text = text.substring(0, at) + String.join("\n", hunk.before()) + text.substring(at + after.length());
        }
        return text;
    }
}
