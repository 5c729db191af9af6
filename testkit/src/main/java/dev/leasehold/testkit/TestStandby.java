package dev.leasehold.testkit;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;

/** A hot standby that streams from a {@link TestServer}. */
public final class TestStandby implements AutoCloseable {

    private static final Set<String> LEFT_OUT = Set.of("postmaster.pid", "postgresql.auto.conf");
    private static final Set<String> LEFT_EMPTY =
            Set.of("pg_wal", "pg_replslot", "pg_stat_tmp", "pg_dynshmem", "pg_notify", "pg_subtrans");

    private final ServerFiles files;
    private final int port;

    private TestStandby(ServerFiles files, int port) {
        this.files = files;
        this.port = port;
    }

    /**
     * A copy of the server of that database as it is now, which follows it from then on.
     *
     * @param name by which the primary knows it
     */
    public static TestStandby of(TestDatabase primary, String name) throws SQLException, IOException {
        Path data = Files.createTempDirectory(
                "leasehold-standby",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path log = Files.createTempFile("leasehold-standby", ".log");
        log.toFile().deleteOnExit();
        var standby = new TestStandby(new ServerFiles(data, log), FreePort.find());
        primary.execute("select pg_create_physical_replication_slot('" + name + "')");
        try (var connection = primary.connect()) {
            copy(connection, data);
        }
        Files.createFile(data.resolve("standby.signal"));
        Files.writeString(
                data.resolve("postgresql.auto.conf"), """
                primary_conninfo = 'host=localhost port=%d user=%s application_name=%s'
                primary_slot_name = '%s'
                """.formatted(primary.port(), primary.user(), name, name));
        // a standby that allows fewer connections than its primary does not start
        standby.files.control(
                "start",
                "-o",
                "-p " + standby.port + " -c unix_socket_directories='' -c max_connections="
                        + primary.queryForString("show max_connections"));
        return standby;
    }

    private static void copy(Connection connection, Path data) throws SQLException, IOException {
        boolean isOf14 = connection.getMetaData().getDatabaseMajorVersion() < 15;
        try (var statement = connection.createStatement()) {
            statement.execute("select "
                    + (isOf14 ? "pg_start_backup('standby', true, false)" : "pg_backup_start('standby', true)"));
            try (var row = statement.executeQuery("show data_directory")) {
                row.next();
                Path source = Path.of(row.getString(1));
                Files.walkFileTree(source, new Copy(source, data));
            }
            try (var row = statement.executeQuery(
                    "select labelfile from " + (isOf14 ? "pg_stop_backup(false, false)" : "pg_backup_stop(false)"))) {
                row.next();
                Files.writeString(data.resolve("backup_label"), row.getString(1), StandardOpenOption.CREATE_NEW);
            }
        }
    }

    private static final class Copy extends SimpleFileVisitor<Path> {

        private final Path source;
        private final Path target;

        Copy(Path source, Path target) {
            this.source = source;
            this.target = target;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
            Path inside = source.relativize(folder);
            if (inside.getNameCount() > 1
                    && LEFT_EMPTY.contains(inside.getName(0).toString())) {
                return FileVisitResult.SKIP_SUBTREE;
            }
            if (!folder.equals(source)) {
                Files.createDirectory(
                        target.resolve(inside),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Path inside = source.relativize(file);
            if (!LEFT_OUT.contains(inside.toString())
                    && !LEFT_EMPTY.contains(inside.getName(0).toString())) {
                try {
                    Files.copy(file, target.resolve(inside));
                } catch (NoSuchFileException e) {
                    return visitFileFailed(file, e);
                }
            }
            return FileVisitResult.CONTINUE;
        }

        /** A running server removes files of its own. */
        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
        }
    }

    /** The copy of that database, read-only. */
    public DataSource dataSource(TestDatabase database) {
        return dataSourceAs(database.user(), database);
    }

    /** As another role. */
    public DataSource dataSourceAs(String role, TestDatabase database) {
        return new UrlDataSource("jdbc:postgresql://localhost:" + port + "/" + database.name() + "?user=" + role);
    }

    /** Ends in order; the primary notices. */
    public void stop() {
        files.control("stop", "-m", "fast");
    }

    /** After {@link #stop()}. */
    public void startAgain() {
        files.control("restart");
    }

    @Override
    public void close() {
        if (files.isInUse()) {
            files.control("stop", "-m", "immediate");
        }
        files.delete();
    }
}
