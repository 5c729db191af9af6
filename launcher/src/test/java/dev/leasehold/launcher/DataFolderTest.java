package dev.leasehold.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {

    @TempDir
    private Path folder;

    @Test
    void onlyItsOwnerMayEnterIt() throws Exception {
        assertPrivate(folder.resolve("new"));
    }

    @Test
    void oneThatWasOpenToAllIsClosed() throws Exception {
        Path open = Files.createDirectory(folder.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertPrivate(open);
    }

    private static void assertPrivate(Path root) throws Exception {
        DataFolder data = DataFolder.of(root);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.root())))
                .isEqualTo("rwx------");
    }
}
