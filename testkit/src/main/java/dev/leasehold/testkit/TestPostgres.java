package dev.leasehold.testkit;

import java.util.Map;

/**
 * The servers that the tests of one JVM share, one a version: each started at its first use, stopped when the JVM ends.
 * Thread-safe.
 */
public final class TestPostgres {

    private TestPostgres() {}

    /** A new, empty database on the shared server. */
    public static TestDatabase freshDatabase() {
        return Newest.SERVER.freshDatabase();
    }

    /** A new, empty database on the shared server of that version. */
    public static TestDatabase freshDatabase(PostgresVersion version) {
        return switch (version) {
            case OLDEST -> Oldest.SERVER.freshDatabase();
            case NEWEST -> Newest.SERVER.freshDatabase();
        };
    }

    private static final class Oldest {
        static final TestServer SERVER = TestServer.start(PostgresVersion.OLDEST, Map.of());
    }

    private static final class Newest {
        static final TestServer SERVER = TestServer.start(PostgresVersion.NEWEST, Map.of());
    }
}
