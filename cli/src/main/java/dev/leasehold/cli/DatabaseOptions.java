package dev.leasehold.cli;

import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Where the database is: the options that all commands that ask one have. */
class DatabaseOptions {

    private static final String URL_VARIABLE = "DATABASE_URL";

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = {
                "postgresql://user@host/db, with port and parameters as for psql; or a jdbc: URL. Default: DATABASE_URL,"
                        + " then as psql: PGHOST, PGUSER and so on."
            })
    private @Nullable String url;

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

    /** Whether the command line or the environment says which one; else it is a guess. */
    boolean isNamed() {
        return given() != null
                || Surroundings.of(spec).variable(URL_VARIABLE).isPresent()
                || !settings().isGuessed();
    }

    private ConnectionSettings settings() {
        if (settings == null) {
            settings = read();
        }
        return settings;
    }

    /** What the command line says, if it does. */
    @Nullable
    String given() {
        return url;
    }

    private ConnectionSettings read() {
        Surroundings surroundings = Surroundings.of(spec);
        String given = given();
        if (given != null && given.isBlank()) {
            throw CommandFailure.usage("--url is empty: is a variable of the shell not set?");
        }
        Optional<ConnectionUrl> parsed = given == null
                ? surroundings.variable(URL_VARIABLE).map(text -> ConnectionUrl.parse(URL_VARIABLE, text))
                : Optional.of(ConnectionUrl.parse("--url", given));
        return ConnectionSettings.of(parsed, surroundings, this::warn);
    }

    private void warn(String line) {
        spec.commandLine().getErr().println("leasehold: " + PlainText.inALine(line));
        spec.commandLine().getErr().flush();
    }
}
