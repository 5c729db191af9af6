package dev.leasehold.benchmarks.harness;

/** Says what is being done, for the person who waits. */
@FunctionalInterface
public interface Progress {

    void say(String line);
}
