package dev.leasehold.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The file in which passwords stand, by host, port, database and user, by libpq's rules: the first line that matches is taken,
 * {@code *} matches all, a backslash takes the sign after it as it is. A file that others may read is not used.
 *
 * @see <a href="https://www.postgresql.org/docs/current/libpq-pgpass.html">the password file</a>
 */
final class PassFile {

    private static final int FIELDS = 4;
    private static final Set<PosixFilePermission> OF_OTHERS = Set.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.GROUP_EXECUTE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE,
            PosixFilePermission.OTHERS_EXECUTE);

    private final List<String> lines;

    private PassFile(List<String> lines) {
        this.lines = lines;
    }

    /** The file, or one without a line if it isn't there or must not be used; then somebody may have to be told why. */
    static PassFile read(Path file, Consumer<String> warning) {
        if (!Files.exists(file)) {
            return new PassFile(List.of());
        }
        try {
            if (!Files.isRegularFile(file)) {
                warning.accept("the password file " + file + " is not used: it is not a plain file");
                return new PassFile(List.of());
            }
            if (!isOfOwnerAlone(file)) {
                warning.accept("the password file " + file
                        + " is not used: others may read it; its permissions should be u=rw (0600) or less");
                return new PassFile(List.of());
            }
            return new PassFile(Files.readAllLines(file));
        } catch (IOException e) {
            warning.accept("the password file " + file + " could not be read: " + e);
            return new PassFile(List.of());
        }
    }

    private static boolean isOfOwnerAlone(Path file) throws IOException {
        return Files.getPosixFilePermissions(file).stream().noneMatch(OF_OTHERS::contains);
    }

    Optional<String> password(String host, String port, String database, String user) {
        List<String> wanted = List.of(host, port, database, user);
        return lines.stream()
                .filter(line -> !line.startsWith("#"))
                .map(PassFile::fields)
                .filter(fields -> fields.size() > FIELDS && matches(fields, wanted))
                .map(fields -> fields.get(FIELDS).text())
                .findFirst();
    }

    private static boolean matches(List<Field> fields, List<String> wanted) {
        for (int i = 0; i < FIELDS; i++) {
            Field field = fields.get(i);
            if (!field.isAny() && !field.text().equals(wanted.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** A star that was escaped is a star. */
    private record Field(String text, boolean isAny) {}

    private static List<Field> fields(String line) {
        List<Field> fields = new ArrayList<>();
        var text = new StringBuilder();
        int begin = 0;
        for (int i = 0; i <= line.length(); i++) {
            if (i == line.length() || line.charAt(i) == ':') {
                fields.add(new Field(text.toString(), line.substring(begin, i).equals("*")));
                text.setLength(0);
                begin = i + 1;
            } else {
                if (line.charAt(i) == '\\' && i + 1 < line.length()) {
                    i++;
                }
                text.append(line.charAt(i));
            }
        }
        return fields;
    }
}
