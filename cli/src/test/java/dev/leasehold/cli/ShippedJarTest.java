package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The jar and the start script as they are shipped, as real processes. Runs once the jar is built. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a read can't be interrupted
@Tag("shipped")
class ShippedJarTest {

    private static final Path SCRIPT = Path.of("leasehold").toAbsolutePath();
    private static final Path JAR = Path.of("target", "leasehold.jar").toAbsolutePath();

    private final TestDatabase database = TestPostgres.freshDatabase();

    @TempDir
    private Path folder;

    private Process start(Map<String, String> environment, Path program, String... arguments) throws IOException {
        var command = Stream.concat(Stream.of(program.toString()), Stream.of(arguments))
                .toList();
        var builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.redirectError(folder.resolve("err").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("PG") || name.equals("DATABASE_URL"));
        builder.environment().put("HOME", folder.toString());
        builder.environment().putAll(environment);
        return builder.start();
    }

    private Cli.Ran run(Map<String, String> environment, Path program, String... arguments) throws Exception {
        Process process = start(environment, program, arguments);
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Cli.Ran(process.exitValue(), out, Files.readString(folder.resolve("err")));
    }

    private Map<String, String> environment() {
        return Map.of(
                "PGHOST", "localhost",
                "PGPORT", String.valueOf(database.port()),
                "PGDATABASE", database.name(),
                "PGUSER", database.user());
    }

    /** Releases the lease späte; a shell makes that name, for the locale of this JVM may have no such letter. */
    private Cli.Ran release(Map<String, String> environment, String... options) throws Exception {
        var arguments = new ArrayList<>(
                List.of("-c", "exec \"$0\" release \"$(printf 'sp\\303\\244te')\" --yes \"$@\"", SCRIPT.toString()));
        arguments.addAll(List.of(options));
        return run(environment, Path.of("/bin/sh"), arguments.toArray(String[]::new));
    }

    @Test
    void theJarHasADriverAVersionAndNoModuleOfAnothers() throws IOException {
        try (var jar = new JarFile(JAR.toFile())) {
            List<String> names = jar.stream().map(Object::toString).toList();
            assertThat(names)
                    .contains(
                            "META-INF/services/java.sql.Driver", "META-INF/services/org.slf4j.spi.SLF4JServiceProvider")
                    .doesNotHaveDuplicates()
                    .noneMatch(
                            name -> name.endsWith("module-info.class") || name.matches("META-INF/.*\\.(SF|RSA|DSA)"));
            assertThat(jar.getManifest().getMainAttributes().getValue("Main-Class"))
                    .isEqualTo("dev.leasehold.cli.Leasehold");
            assertThat(jar.isMultiRelease()).isTrue();
        }
    }

    @Test
    void theScriptRunsCommandsWithTheirExitCodesAndAQuietErrorStream() throws Exception {
        assertThat(run(Map.of(), SCRIPT, "--version").out()).startsWith("leasehold ");
        assertThat(run(environment(), SCRIPT, "schema", "--check").exitCode()).isEqualTo(1);
        assertThat(run(environment(), SCRIPT, "schema", "--apply").exitCode()).isZero();
        database.execute(
                "insert into leases (name, holder, expires_at) values ('späte', 'h', now() + interval '1 hour')");
        Cli.Ran released = release(environment(), "--json");
        assertThat(released.exitCode()).isZero();
        assertThat(released.err()).isEmpty();
        assertThat(JsonParser.parseString(released.out())
                        .getAsJsonObject()
                        .get("name")
                        .getAsString())
                .isEqualTo("späte");
        Cli.Ran away = run(Map.of(), SCRIPT, "leases", "--url", "postgres://bob:s3cret@localhost:1/app");
        assertThat(away)
                .isEqualTo(new Cli.Ran(
                        2,
                        "",
                        "leasehold: no connection to localhost:1, database app, as bob: connection refused; see host and"
                                + " port, and whether the server runs and listens there\n"));
    }

    /** Java opens files of its own in the place of closed streams, which a command would inherit. */
    @Test
    void aCommandOfExecDoesNotInheritAFileInThePlaceOfAClosedStream() throws Exception {
        Cli.Ran ran = run(
                environment(),
                Path.of("/bin/sh"),
                "-c",
                "exec \"$0\" exec closed -- sh -c 'wc -c | tr -d \" \"' <&-",
                SCRIPT.toString());
        assertThat(ran.err()).isEmpty();
        assertThat(ran.out().strip()).isEqualTo("0");
        assertThat(ran.exitCode()).isZero();
    }

    @Test
    void aFolderThatIsGoneIsSaid() throws Exception {
        Cli.Ran ran = run(
                environment(),
                Path.of("/bin/sh"),
                "-c",
                "mkdir gone && cd gone && rmdir ../gone && exec \"$0\" exec closed -- true",
                SCRIPT.toString());
        assertThat(ran.err()).endsWith("leasehold: the folder in which it was called is gone\n");
        assertThat(ran.exitCode()).isEqualTo(125);
    }

    @Test
    void aNameThatIsNotAsciiIsUnderstoodWithoutALocale() throws Exception {
        database.execute(Cli.bare().run("schema").out());
        database.execute(
                "insert into leases (name, holder, expires_at) values ('späte', 'h', now() + interval '1 hour')");
        var environment = new HashMap<>(environment());
        Stream.of("LC_ALL", "LC_CTYPE", "LANG").forEach(name -> environment.put(name, ""));
        assertThat(release(environment).exitCode()).isZero();
    }

    @Test
    void aPasswordFileInTheHomeOfTheProcessIsJudgedByLibpqsRules() throws Exception {
        Path file = Files.writeString(folder.resolve(".pgpass"), "*:*:*:*:s3cret\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        Cli.Ran ran = run(environment(), SCRIPT, "schema", "--apply");
        assertThat(ran.exitCode()).as("this server asks for no password").isZero();
        assertThat(ran.err()).contains(".pgpass is not used").hasLineCount(1);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertThat(run(environment(), SCRIPT, "leases").err()).isEmpty();
    }

    @Test
    void theScriptIsFoundThroughLinksAndInFoldersWithSpaces() throws Exception {
        Path installed = Files.createDirectories(folder.resolve("with a space"));
        Files.copy(SCRIPT, installed.resolve("leasehold"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.createSymbolicLink(installed.resolve("leasehold.jar"), JAR);
        Path bin = Files.createDirectories(folder.resolve("bin"));
        Path link = Files.createSymbolicLink(bin.resolve("first"), Path.of("../with a space/leasehold"));
        Path linkOfLink = Files.createSymbolicLink(bin.resolve("second"), link.getFileName());
        assertThat(run(Map.of(), linkOfLink, "--version").out()).startsWith("leasehold ");
    }

    @Test
    void whatIsMissingIsSaid() throws Exception {
        Path lone = Files.copy(SCRIPT, folder.resolve("lone"), StandardCopyOption.COPY_ATTRIBUTES);
        Cli.Ran noJar = run(Map.of(), lone, "--version");
        assertThat(noJar.exitCode()).isEqualTo(2);
        assertThat(noJar.err())
                .contains("leasehold.jar is missing", "mvn -pl cli -am package")
                .hasLineCount(1);
        assertThat(run(Map.of(), lone, "exec", "job", "--", "true").exitCode()).isEqualTo(125);
        Cli.Ran noJava = run(Map.of("JAVA_HOME", "/none"), SCRIPT, "--version");
        assertThat(noJava.exitCode()).isEqualTo(2);
        assertThat(noJava.err())
                .contains("JAVA_HOME is /none, but there is no bin/java in it")
                .hasLineCount(1);
        Path old = Files.createDirectories(folder.resolve("old/bin"));
        Files.writeString(folder.resolve("old/release"), "JAVA_VERSION=\"11.0.2\"\n");
        Path java = Files.writeString(old.resolve("java"), "#!/bin/sh\nexit 1\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        Cli.Ran oldJava = run(Map.of("JAVA_HOME", folder.resolve("old").toString()), SCRIPT, "--version");
        assertThat(oldJava.exitCode()).isEqualTo(2);
        assertThat(oldJava.err())
                .contains("is Java 11, but Java 17 or later is needed")
                .hasLineCount(1);
    }

    @Test
    void ctrlCEndsAWatchWithoutAStackTrace() throws Exception {
        ExecProcess.assumeNotIgnored("INT");
        assertThat(run(environment(), SCRIPT, "schema", "--apply").exitCode()).isZero();
        Process watch = start(environment(), SCRIPT, "leases", "--watch=100ms", "--json");
        try (var lines = watch.inputReader(StandardCharsets.UTF_8)) {
            assertThat(lines.readLine()).startsWith("{\"now\":");
            assertThat(lines.readLine()).startsWith("{\"now\":");
            ExecProcess.signal(watch.pid(), "INT");
            assertThat(watch.waitFor(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            watch.destroyForcibly();
        }
        assertThat(watch.exitValue()).isEqualTo(130);
        assertThat(folder.resolve("err")).isEmptyFile();
    }

    @Test
    void aReaderThatGoesAwayIsNoStackTrace() throws Exception {
        assertThat(run(environment(), SCRIPT, "schema", "--apply").exitCode()).isZero();
        Process watch = start(environment(), SCRIPT, "leases", "--watch=100ms", "--json");
        try {
            watch.getInputStream().close();
            assertThat(watch.waitFor(30, TimeUnit.SECONDS))
                    .as("it has nobody to show it to")
                    .isTrue();
        } finally {
            watch.destroyForcibly();
        }
        assertThat(folder.resolve("err")).isEmptyFile();
    }
}
