package dev.leasehold.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/** Where the database is, for commands that have no other argument: a URL may stand where psql takes it. */
final class DatabaseArgument extends DatabaseOptions {

    @Parameters(arity = "0..1", paramLabel = "URL", description = "The same as --url.")
    private @Nullable String argument;

    @Override
    @Nullable
    String given() {
        if (argument == null) {
            return super.given();
        }
        if (super.given() != null) {
            throw CommandFailure.usage("the URL is there twice: as an argument, and as --url");
        }
        return argument;
    }
}
