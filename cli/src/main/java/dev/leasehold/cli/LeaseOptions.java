package dev.leasehold.cli;

import dev.leasehold.Leases;
import dev.leasehold.SchemaMode;
import javax.sql.DataSource;
import picocli.CommandLine.Option;

/** Which leases: the option of all commands that look at the lease table. */
final class LeaseOptions {

    @Option(
            names = "--table",
            paramLabel = "[SCHEMA.]TABLE",
            description = "The lease table, as PostgreSQL stores its name. Default: leases, found by the search_path.")
    String table = "leases";

    /** The leases of that database, to look at and to order about; the table is not created. Close them. */
    Leases open(DataSource dataSource) {
        return Leases.on(dataSource).table(table).schema(SchemaMode.NONE).build();
    }
}
