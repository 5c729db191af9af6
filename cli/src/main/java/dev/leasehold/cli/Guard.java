package dev.leasehold.cli;

import java.io.IOException;
import java.io.Writer;
import java.time.Duration;

/**
 * Ends the command when this process is gone without having ended it: killed by SIGKILL, for want of memory perhaps. It is a
 * shell that waits for the end of a pipe which only this process holds open.
 */
final class Guard implements AutoCloseable {

    /**
     * Reads the command's process id, and then a word if all is well; the end of the pipe comes without that word. It looks for what
     * the command has started again and again; a kernel's process 0 may be its own parent.
     */
    private static final String SCRIPT = """
            trap '' HUP INT QUIT TERM USR1 USR2
            read -r pid || exit 0
            read -r word && exit 0
            family=$pid
            news=$pid
            look() {
              found=$(ps -A -o pid= -o ppid= 2>/dev/null | awk -v known="$family" '
                BEGIN { n = split(known, numbers, " "); for (i = 1; i <= n; i++) ours[numbers[i]] = 1 }
                { parent[$1] = $2 }
                END {
                  for (p in parent) {
                    q = p
                    for (i = 0; i < NR && !(q in ours) && q in parent && parent[q] != q; i++) q = parent[q]
                    if (q in ours) printf "%s ", p
                  }
                }')
              news=
              for p in $found; do
                case " $family " in *" $p "*) ;; *) news="$news $p" ;; esac
              done
              family=${found:-$family}
            }
            each() {
              signal=$1
              shift
              code=1
              for p; do kill -s "$signal" "$p" 2>/dev/null && code=0; done
              return $code
            }
            look
            each TERM $family || exit 0
            echo "leasehold: exec is gone, its command $pid is ended" >&2
            left=$1
            while [ "$left" -gt 0 ] && each 0 $family; do
              sleep 1
              left=$((left - 1))
              look
              each TERM $news
            done
            look
            each KILL $family
            look
            each KILL $news
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

    /** The command has ended, or never began. */
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
