package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A command is ended with all that it has started, also with what that starts when it is told to end. */
@Timeout(60)
class FamilyTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    /**
     * A command that ends when it is told to; but what it has started starts another then, and goes on.
     *
     * @return with {@code ready} in its folder as soon as it may be told
     */
    static List<String> growing(Path folder) throws Exception {
        Path member = Files.writeString(folder.resolve("member"), """
                cd "$(dirname "$0")"
                trap 'sleep 300 & echo $! > late' TERM
                echo $$ > pid
                while :; do sleep 0.05; done
                """);
        return List.of("sh", "-c", "sh '" + member + "' & wait");
    }

    @Test
    void whatIsStartedMeanwhileIsEndedThoughTheFirstHasEndedBefore() throws Exception {
        var child = Child.start(growing(folder), Map.of());
        long member = Long.parseLong(Await.line(folder.resolve("pid")));
        child.end(Duration.ofSeconds(4));
        ExecProcess.awaitEnd(member, Long.parseLong(Await.line(folder.resolve("late"))));
        assertThat(child.await()).isEqualTo(128 + 15);
    }

    @Test
    void nobodyWaitsForThePatienceToRunOutOnceAllHaveEnded() throws Exception {
        var child = Child.start(List.of("sh", "-c", "sleep 300 & wait"), Map.of());
        ProcessHandle shell = ProcessHandle.of(child.pid()).orElseThrow();
        Await.until("it has started another", () -> shell.children().findAny().isPresent());
        child.end(Duration.ofHours(1));
        assertThat(child.isRunning()).isFalse();
    }
}
