package dev.leasehold.cli;

import java.util.Properties;
import javax.sql.DataSource;
import picocli.CommandLine.Option;

/** Where the database is: the options that all commands that ask one have. */
final class DatabaseOptions {

    @Option(names = "--url", description = "the database")
    String url = "";

    /** Opens a new connection each time. */
    DataSource dataSource() {
        return new DriverDataSource(url, new Properties());
    }
}
