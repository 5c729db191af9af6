package dev.leasehold.benchmarks;

import dev.leasehold.benchmarks.harness.Sizes;
import dev.leasehold.benchmarks.report.Readme;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What the command line says. */
@Command(
        name = "benchmarks/run",
        mixinStandardHelpOptions = true,
        version = "of the working tree",
        sortOptions = false,
        description = "Measures leases side by side with other ways to make work exclusive.")
final class Options implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--scenario",
            split = ",",
            description =
                    "which figures, by name, with commas between: acquire, acquire-far, pairs, refusals, herd, round-trips,"
                            + " renewal, connections, bloat, takeover; default all")
    private List<String> scenarios = new ArrayList<>();

    @Option(
            names = "--subject",
            split = ",",
            description = "whose figures, by a part of the label: leasehold, counted, original, ShedLock, Spring,"
                    + " db-scheduler, advisory; default all")
    private List<String> subjects = new ArrayList<>();

    @Option(names = "--quick", description = "fewer and shorter rounds: a first look")
    private boolean quick;

    @Option(names = "--rounds", description = "how often each subject is measured; the median counts")
    private @Nullable Integer rounds;

    @Option(names = "--cycles", description = "how many cycles for bloat, however long they take")
    private @Nullable Integer cycles;

    @Option(names = "--seed", description = "of the order within the rounds; default random, and printed")
    private @Nullable Long seed;

    @Option(names = "--json", description = "also writes everything to this file, as JSON")
    private @Nullable Path json;

    @Option(names = "--readme", description = "also writes everything between the markers in this file")
    private @Nullable Path readme;

    @Override
    public Integer call() throws Exception {
        long used = seed == null ? ThreadLocalRandom.current().nextLong(1_000_000) : seed;
        long began = System.nanoTime();
        Report report = run(used, began);
        System.out.println(report.markdown());
        if (json != null) {
            Files.writeString(json, report.json());
        }
        if (readme != null) {
            Readme.write(readme, report.markdown());
        }
        return report.isComplete() ? 0 : 1;
    }

    private Report run(long used, long began) throws Exception {
        var run = new Run(sizes(), used, line -> System.err.printf("%4d s  %s%n", secondsSince(began), line));
        try {
            return run.report(scenarios, subjects);
        } catch (NothingToMeasureException e) {
            throw spec == null ? e : new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private Sizes sizes() {
        Sizes sizes = quick ? Sizes.quick() : Sizes.full();
        if (rounds != null) {
            sizes = sizes.withRounds(rounds);
        }
        return cycles == null ? sizes : sizes.withCycles(cycles);
    }

    private static long secondsSince(long began) {
        return Duration.ofNanos(System.nanoTime() - began).toSeconds();
    }
}
