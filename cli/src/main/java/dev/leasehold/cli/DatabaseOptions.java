package dev.leasehold.cli;

import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Where the database is: the options that all commands that ask one have. */
final class DatabaseOptions {

    private static final String URL_VARIABLE = "DATABASE_URL";

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = {
                "The database: postgresql://user@host:port/database, postgres:// or jdbc:postgresql://, with parameters of"
                        + " libpq or the JDBC driver. Without it, DATABASE_URL; what neither says comes from PGHOST, PGUSER"
                        + " and the other variables of psql, and the password from ~/.pgpass."
            })
    String url = "";

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    CommandSpec spec;

    private @Nullable ConnectionSettings settings;

    /**
     * Opens a new connection each time. No I/O yet, but for files of passwords and services.
     *
     * @throws CommandFailure if the options or the environment are wrong
     */
    DataSource dataSource() {
        return new DriverDataSource(settings());
    }

    /** Where that is, without the password: hosts, database, user. */
    String place() {
        return settings().place();
    }

    private ConnectionSettings settings() {
        if (settings == null) {
            settings = read();
        }
        return settings;
    }

    private ConnectionSettings read() {
        Surroundings surroundings = Surroundings.of(spec);
        Optional<ConnectionUrl> parsed = url.isEmpty()
                ? surroundings.variable(URL_VARIABLE).map(text -> ConnectionUrl.parse(URL_VARIABLE, text))
                : Optional.of(ConnectionUrl.parse("--url", url));
        return ConnectionSettings.of(parsed, surroundings, this::warn);
    }

    private void warn(String line) {
        spec.commandLine().getErr().println("leasehold: " + PlainText.inALine(line));
        spec.commandLine().getErr().flush();
    }
}
