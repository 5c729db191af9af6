package dev.leasehold.benchmarks;

import dev.leasehold.benchmarks.harness.Sizes;
import dev.leasehold.benchmarks.report.Json;
import dev.leasehold.benchmarks.report.JsonReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What the command line says. */
@Command(
        name = "benchmarks/run",
        mixinStandardHelpOptions = true,
        description = "Measures leases side by side with other ways to make work exclusive.")
final class Options implements Callable<Integer> {

    @Option(
            names = "--scenario",
            split = ",",
            description = "which figures, by name, with commas between; default all: acquire, pairs, refusals")
    private List<String> scenarios = new ArrayList<>();

    @Option(names = "--subject", split = ",", description = "whose, by a part of the label; default all")
    private List<String> subjects = new ArrayList<>();

    @Option(names = "--quick", description = "fewer and shorter rounds: a first look")
    private boolean quick;

    @Option(names = "--rounds", description = "how often each subject is measured; the median counts")
    private @Nullable Integer rounds;

    @Option(names = "--seed", description = "of the order within the rounds; default random, and printed")
    private @Nullable Long seed;

    @Option(names = "--json", description = "also writes the figures to this file")
    private @Nullable Path json;

    @Override
    public Integer call() throws Exception {
        Sizes sizes = quick ? Sizes.quick() : Sizes.full();
        if (rounds != null) {
            sizes = sizes.withRounds(rounds);
        }
        long usedSeed = seed == null ? ThreadLocalRandom.current().nextLong(1_000_000) : seed;
        var run = new Run(sizes, usedSeed, line -> System.err.println("  " + line));
        var tables = run.tables(scenarios, subjects, System.out::println);
        if (json != null) {
            Files.writeString(json, Json.of(JsonReport.of(tables, usedSeed)));
        }
        return 0;
    }
}
