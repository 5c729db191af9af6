package dev.leasehold.testkit;

import io.zonky.test.db.postgres.embedded.PgBinaryResolver;
import java.util.Objects;
import java.util.Optional;

/** The servers that tests may start: the oldest supported major version, and the newest. */
public enum PostgresVersion {
    OLDEST(14, "", "/oldest-postgres/postgres.txz"),
    NEWEST(18, " strategy file_copy", "");

    private final int major;
    private final String createDatabaseOptions;
    private final String archive;

    PostgresVersion(int major, String createDatabaseOptions, String archive) {
        this.major = major;
        this.createDatabaseOptions = createDatabaseOptions;
        this.archive = archive;
    }

    /** The number before the point. */
    public int major() {
        return major;
    }

    String createDatabaseOptions() {
        return createDatabaseOptions;
    }

    /** Where its programs are; empty for those that the embedding library finds by itself. */
    Optional<PgBinaryResolver> binaries() {
        return archive.isEmpty()
                ? Optional.empty()
                : Optional.of((system, machine) ->
                        Objects.requireNonNull(PostgresVersion.class.getResourceAsStream(archive), archive));
    }
}
