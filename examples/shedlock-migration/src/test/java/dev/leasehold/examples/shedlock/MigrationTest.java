package dev.leasehold.examples.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

class MigrationTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String LOCKS = "src/main/java/dev/leasehold/examples/shedlock/Locks.java";

    private final TestDatabase database = TestPostgres.freshDatabase();

    @TempDir
    Path classes;

    private ConfigurableApplicationContext instance(String every, String atLeast) {
        return new SpringApplicationBuilder(Application.class)
                .run(
                        "--spring.datasource.url=" + database.jdbcUrl(),
                        "--expired-sessions.every=" + every,
                        "--expired-sessions.at-least=" + atLeast);
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.call()) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private void addSessions() throws Exception {
        database.execute(
                "insert into session values ('old', now() - interval '1 day'), ('new', now() + interval '1 day')"
                        + " on conflict (id) do nothing");
    }

    private long sessions() throws Exception {
        return database.queryForLong("select count(*) from session");
    }

    private long fence() throws Exception {
        return database.queryForLong("select fence from leases where name = 'expired-sessions'");
    }

    @Test
    void theJobRunsOnLeasesInTwoInstances() throws Exception {
        try (var first = instance("100ms", "0s");
                var second = instance("100ms", "0s")) {
            addSessions();
            await("the old one is deleted", () -> sessions() == 1);
            assertThat(database.queryForString("select id from session")).isEqualTo("new");
            assertThat(first.isRunning() && second.isRunning()).isTrue();
        }
        assertThat(database.queryForLong("select count(*) from leases where expires_at = 'epoch'"))
                .as("free after the shutdown")
                .isEqualTo(1);
    }

    @Test
    void lockAtLeastForIsHonoured() throws Exception {
        try (var first = instance("1h", "30m")) {
            await("a run", () -> database.queryForLong("select count(*) from leases where holder = '-'") == 1);
            long fence = fence();
            try (var second = instance("1h", "30m")) {
                addSessions();
                first.getBean(ExpiredSessions.class).delete();
                second.getBean(ExpiredSessions.class).delete();
                assertThat(sessions()).as("nothing ran").isEqualTo(2);
                assertThat(fence()).isEqualTo(fence);
            }
        }
    }

    private static String before(String file) throws IOException {
        var diff = UnifiedDiff.of(Files.readString(Path.of("migration.diff")));
        return diff.before(file, Files.readString(Path.of(file)));
    }

    @Test
    void theDiffTakenBackGivesTheApplicationAsItWas() throws Exception {
        assertThat(before("pom.xml"))
                .contains("<artifactId>shedlock-provider-jdbc-template</artifactId>\n    </dependency>\n")
                .doesNotContain("leasehold-shedlock<", "leasehold-spring-boot-starter");
        String source = before(LOCKS);
        assertThat(source).contains("new JdbcTemplateLockProvider").doesNotContain("import dev.leasehold");
        assertCompiles(source);
    }

    @Test
    void theReadmeOfTheModuleShowsTheSameBean() throws Exception {
        String readme = Files.readString(Path.of("../../shedlock/README.md"));
        int start = readme.indexOf("```diff\n") + "```diff\n".length();
        String shown = readme.substring(start, readme.indexOf("```", start));
        assertThat(shown).hasLineCount(9);
        assertThat(Files.readString(Path.of("migration.diff"))).contains(shown);
    }

    private void assertCompiles(String source) {
        var file = new SimpleJavaFileObject(URI.create("string:///" + LOCKS), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
        var said = new StringWriter();
        boolean isCompiled = ToolProvider.getSystemJavaCompiler()
                .getTask(
                        said,
                        null,
                        null,
                        List.of("-proc:none", "-d", classes.toString(), "-cp", System.getProperty("java.class.path")),
                        null,
                        List.of(file))
                .call();
        assertThat(isCompiled).as(said.toString()).isTrue();
    }
}
