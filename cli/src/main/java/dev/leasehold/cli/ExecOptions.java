package dev.leasehold.cli;

import dev.leasehold.Schedule;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** On which terms {@code exec} runs its command. */
final class ExecOptions {

    private static final int PARTS_OF_A_TTL = 12;
    private static final String NOT_DECODED = "\uFFFD";

    @Option(
            names = "--ttl",
            paramLabel = "DURATION",
            converter = DurationText.class,
            description = "How long the lease lasts if this host dies, 500ms to 1d. Default: 2m.")
    private Duration ttl = Duration.ofMinutes(2);

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            converter = DurationText.class,
            description = "How long to wait for the lease if another holds it. Default: not at all.")
    private @Nullable Duration wait;

    @Option(
            names = "--every",
            paramLabel = "DURATION",
            converter = DurationText.class,
            description =
                    "Run once per slot of that length in the whole cluster, however many hosts try. A run counts for"
                            + " its slot, also a failed one; not one that TERM, INT or HUP to exec, a loss or a crash has ended.")
    private @Nullable Duration every;

    @Option(
            names = "--offset",
            paramLabel = "DURATION",
            converter = DurationText.class,
            description =
                    "Slots begin that much later; without it those of 15m begin at :00, :15, :30 and :45 UTC, by the"
                            + " database's clock.")
    private @Nullable Duration offset;

    @Option(
            names = "--retry-failed",
            description = "With --every: a run that ends with another code than 0 does not count.")
    private boolean retryFailed;

    @Option(
            names = "--on-loss",
            paramLabel = "WHAT",
            converter = OnLoss.Words.class,
            description =
                    "When the lease is lost, or could not be renewed in time: go-on with a warning, or terminate the"
                            + " command and all it has started; then it is ended too when exec is killed. Default: go-on.")
    private OnLoss onLoss = OnLoss.GO_ON;

    @Option(
            names = "--kill-after",
            paramLabel = "DURATION",
            converter = DurationText.class,
            description =
                    "What is terminated gets SIGTERM, and after this time SIGKILL. Default: a twelfth of the ttl, which"
                            + " is what is left of the lease when it could not be renewed in time.")
    private @Nullable Duration killAfter;

    /**
     * What the options say.
     *
     * @throws IllegalArgumentException if they do not fit together; names the value and the rule
     */
    ExecTerms terms(String name, String table, List<String> command) {
        Stream.concat(Stream.of(name), command.stream()).forEach(ExecOptions::requirePassable);
        if (every != null && wait != null) {
            throw new IllegalArgumentException(
                    "--wait does not go with --every: who waits for a slot that another runs finds it done");
        }
        if (every == null && (offset != null || retryFailed)) {
            throw new IllegalArgumentException(
                    (offset != null ? "--offset" : "--retry-failed") + " needs --every: it is about slots");
        }
        Duration grace = killAfter == null ? ttl.dividedBy(PARTS_OF_A_TTL) : killAfter;
        return new ExecTerms(
                name,
                table,
                ttl,
                wait == null ? Duration.ZERO : wait,
                Optional.ofNullable(every)
                        .map(period -> Schedule.every(period, offset == null ? Duration.ZERO : offset)),
                retryFailed,
                onLoss == OnLoss.TERMINATE,
                grace,
                command);
    }

    /**
     * Java has read the arguments by the encoding of the locale, which is ASCII where cron sets none, and would pass on others
     * than it got.
     */
    private static void requirePassable(String argument) {
        Charset passed = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
        if (argument.contains(NOT_DECODED) || !passed.newEncoder().canEncode(argument)) {
            throw new IllegalArgumentException(
                    "\"" + argument + "\" has signs that are none in the encoding of the locale, " + passed
                            + ", and can't be passed on: set LC_ALL=C.UTF-8, or another locale of their encoding");
        }
    }
}
