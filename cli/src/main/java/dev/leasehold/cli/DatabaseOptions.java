package dev.leasehold.cli;

import java.util.Properties;
import javax.sql.DataSource;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Where the database is: the options that all commands that ask one have. */
final class DatabaseOptions {

    @Option(names = "--url", paramLabel = "URL", description = "The database.")
    String url = "";

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    CommandSpec spec;

    /** Opens a new connection each time. */
    DataSource dataSource() {
        return new DriverDataSource(url, new Properties());
    }
}
