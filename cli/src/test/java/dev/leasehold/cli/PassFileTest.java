package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PassFileTest {

    @TempDir
    Path home;

    private final List<String> warnings = new ArrayList<>();

    private Path write(String permissions, String... lines) throws IOException {
        Path file = Files.write(home.resolve(".pgpass"), List.of(lines));
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    private Optional<String> password(String host, String database, String user) {
        return PassFile.read(home.resolve(".pgpass"), warnings::add).password(host, "5432", database, user);
    }

    @Test
    void theFirstLineThatMatchesIsTaken() throws IOException {
        write(
                "rw-------",
                "# db:5432:app:bob:comment",
                "",
                "db:5433:app:bob:other port",
                "too:short",
                "db:5432:app:bob:first",
                "db:*:*:*:second",
                "*:*:*:eve:");
        assertThat(password("db", "app", "bob")).hasValue("first");
        assertThat(password("db", "app", "bo")).hasValue("second");
        assertThat(password("other", "app", "bob")).isEmpty();
        assertThat(password("other", "app", "eve")).hasValue("");
        assertThat(warnings).isEmpty();
    }

    @Test
    void aBackslashTakesTheNextSignAsItIs() throws IOException {
        write("rw-------", "\\:\\:1:5432:a\\\\b:\\*:p\\:w\\\\d\\x:rest", "*:5432:star:*:any");
        assertThat(password("::1", "a\\b", "*")).hasValue("p:w\\dx");
        assertThat(password("::1", "a\\b", "bob")).isEmpty();
        assertThat(password("anything", "star", "bob")).hasValue("any");
    }

    @Test
    void aFileThatOthersMayReadIsNotUsedAndThatIsSaid() throws IOException {
        for (String permissions : List.of("rw-r-----", "rw----r--", "rw--w----")) {
            Files.deleteIfExists(home.resolve(".pgpass"));
            write(permissions, "*:*:*:*:s3cret");
            warnings.clear();
            assertThat(password("db", "app", "bob")).isEmpty();
            assertThat(warnings).hasSize(1).allMatch(line -> line.contains("is not used: others may read it"));
        }
    }

    @Test
    void aMissingFileIsNoWordAndAFolderIsOne() throws IOException {
        assertThat(password("db", "app", "bob")).isEmpty();
        assertThat(warnings).isEmpty();
        Files.createDirectory(home.resolve(".pgpass"));
        assertThat(password("db", "app", "bob")).isEmpty();
        assertThat(warnings).hasSize(1);
    }

    @Test
    void itIsAskedByTheHostsNameWhereNoPasswordIsGiven() throws IOException {
        write("rw-------", "db:5432:app:bob:of db", "localhost:5432:app:bob:of here", "two:*:*:*:of two");
        assertThat(passwordOf("postgres://bob@db/app?hostaddr=10.0.0.1")).isEqualTo("of db");
        assertThat(passwordOf("postgres://bob@/app")).isEqualTo("of here");
        assertThat(passwordOf("postgres://bob:given@db/app")).isEqualTo("given");
        assertThat(passwordOf("postgres://bob@db,none/app")).isEqualTo("of db");
        assertThatExceptionOfType(CommandFailure.class)
                .isThrownBy(() -> passwordOf("postgres://bob@db,two/app"))
                .withMessage("the password file has different passwords for db:5432,two:5432: name one host");
    }

    private String passwordOf(String url) {
        var surroundings = new Surroundings(Map.of(), home, "alice", Terminal.none(), InputStream.nullInputStream());
        var parsed = Optional.of(ConnectionUrl.parse("--url", url));
        return ConnectionSettings.of(parsed, surroundings, warnings::add)
                .properties()
                .getProperty("password");
    }
}
