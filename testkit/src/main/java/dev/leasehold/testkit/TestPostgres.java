package dev.leasehold.testkit;

import java.util.Map;

/** The server that the tests of one JVM share: started at the first use, stopped when the JVM ends. Thread-safe. */
public final class TestPostgres {

    private TestPostgres() {}

    /** A new, empty database on the shared server. */
    public static TestDatabase freshDatabase() {
        return Shared.SERVER.freshDatabase();
    }

    private static final class Shared {
        static final TestServer SERVER = TestServer.start(Map.of());
    }
}
