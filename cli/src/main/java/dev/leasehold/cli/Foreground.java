package dev.leasehold.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The process group that a terminal sends its Ctrl-C to. */
final class Foreground {

    private static final Path STAT = Path.of("/proc/self/stat");

    /** After the name in brackets, which may hold anything: state, parent, group, session, terminal, foreground group. */
    private static final int GROUP = 2;

    private static final int FOREGROUND_GROUP = 5;

    private Foreground() {}

    /** Whether this process is in it; so are the processes it has started, unless they have left. */
    static boolean isOurs() {
        try {
            return Files.isReadable(STAT) ? isForeground(Files.readString(STAT, StandardCharsets.ISO_8859_1)) : asked();
        } catch (IOException e) {
            return false;
        }
    }

    static boolean isForeground(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
        return fields.length > FOREGROUND_GROUP && fields[GROUP].equals(fields[FOREGROUND_GROUP]);
    }

    /** Where there is no {@code /proc}. */
    private static boolean asked() throws IOException {
        Process ps = new ProcessBuilder(
                        "ps",
                        "-o",
                        "pgid=",
                        "-o",
                        "tpgid=",
                        "-p",
                        Long.toString(ProcessHandle.current().pid()))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String[] groups = new String(ps.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                .strip()
                .split("\\s+", -1);
        return groups.length == 2 && groups[0].equals(groups[1]);
    }
}
