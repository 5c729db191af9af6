package dev.leasehold.cli;

import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Whether a command shows the same again and again. */
final class WatchOption {

    private static final Duration SHORTEST = Duration.ofMillis(100);

    @Option(
            names = "--watch",
            arity = "0..1",
            paramLabel = "EVERY",
            fallbackValue = "2s",
            converter = Period.class,
            description =
                    "Show it again and again, each 2s or as in --watch=500ms, until Ctrl-C. In place on a terminal; with"
                            + " --json a document a line.")
    Duration every = Duration.ZERO;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    CommandSpec spec;

    /** Once, or until the process ends. */
    int show(Output output, View view) {
        if (every.isZero()) {
            view.show(output);
        } else {
            new Watching(output, Surroundings.of(spec).environment(), every).show(view);
        }
        return ExitCode.WELL;
    }

    /** A plain number is seconds. */
    static final class Period implements ITypeConverter<Duration> {

        @Override
        public Duration convert(String text) {
            Duration every = new DurationText().convert(text.matches("\\d{1,6}") ? text + "s" : text);
            if (every.compareTo(SHORTEST) < 0) {
                throw new TypeConversionException("\"" + text + "\" is too often: must be 100ms or more");
            }
            return every;
        }
    }
}
