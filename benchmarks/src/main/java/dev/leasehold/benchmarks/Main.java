package dev.leasehold.benchmarks;

import picocli.CommandLine;

/** Runs the benchmarks: {@code --help} says how. */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Options()).execute(arguments));
    }
}
