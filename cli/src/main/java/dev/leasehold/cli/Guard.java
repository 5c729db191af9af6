package dev.leasehold.cli;

import java.io.IOException;
import java.io.Writer;
import java.time.Duration;

/**
 * Ends the command when this process is gone without having ended it: killed by SIGKILL, for want of memory perhaps. It is a
 * shell that waits for the end of a pipe which only this process holds open.
 */
final class Guard implements AutoCloseable {

    /** Reads the command's process id, and then a word if all is well; the end of the pipe comes without that word. */
    private static final String SCRIPT = """
            trap '' HUP INT QUIT TERM USR1 USR2
            read -r pid || exit 0
            read -r word && exit 0
            family=$(ps -A -o pid= -o ppid= 2>/dev/null | awk -v top="$pid" '
              { parent[$1] = $2 }
              END {
                for (p in parent) {
                  q = p
                  while (q != top && q in parent) q = parent[q]
                  if (q == top) print p
                }
              }')
            family=${family:-$pid}
            each() {
              code=1
              for p in $family; do kill -s "$1" "$p" 2>/dev/null && code=0; done
              return $code
            }
            each TERM || exit 0
            echo "leasehold: exec is gone, its command $pid is ended" >&2
            left=$1
            while [ "$left" -gt 0 ] && each 0; do
              sleep 1
              left=$((left - 1))
            done
            each KILL
            exit 0
            """;

    private final Process shell;
    private final Writer pipe;

    private Guard(Process shell) {
        this.shell = shell;
        this.pipe = shell.outputWriter();
    }

    /**
     * Starts to wait.
     *
     * @param killAfter how long the command may take to end when it is told to
     */
    static Guard start(Duration killAfter) throws IOException {
        return new Guard(new ProcessBuilder("sh", "-c", SCRIPT, "leasehold-guard", wholeSeconds(killAfter))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Not every shell can sleep for less. */
    private static String wholeSeconds(Duration duration) {
        return Long.toString(duration.plusMillis(999).toSeconds());
    }

    /** @throws IOException if the shell is gone: nobody watches then */
    void watch(Child child) throws IOException {
        say(Long.toString(child.pid()));
    }

    /** The command has ended. */
    @Override
    public void close() {
        try (pipe) {
            say("done");
        } catch (IOException e) {
            shell.destroyForcibly();
        }
    }

    private void say(String word) throws IOException {
        pipe.append(word).append('\n').flush();
    }
}
