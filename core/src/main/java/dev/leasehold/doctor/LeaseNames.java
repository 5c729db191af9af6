package dev.leasehold.doctor;

import dev.leasehold.internal.TableName;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;

/** The names in the lease table, if there is one that this role may read. */
final class LeaseNames {

    private LeaseNames() {}

    static <T> List<T> read(Sight sight, Sight.RowReader<T> reader) throws SQLException {
        TableName table = sight.questions().table();
        String name = table.parts().get(table.parts().size() - 1);
        String schema = table.parts().size() == 1 ? "" : table.parts().get(0);
        if (sight.rows(DoctorSql.CAN_READ_NAMES, row -> row.getLong("oid"), name, schema, schema)
                .isEmpty()) {
            return List.of();
        }
        return unlessInTheWay(sight, table, reader);
    }

    /** Somebody may have dropped the table since, or lock it: that must not end the look. */
    private static <T> List<T> unlessInTheWay(Sight sight, TableName table, Sight.RowReader<T> reader)
            throws SQLException {
        Savepoint before = sight.connection().setSavepoint();
        try {
            return sight.rows(DoctorSql.leaseNames(table.quoted()), reader);
        } catch (SQLException e) {
            sight.goOnFrom(before, e);
            return List.of();
        }
    }
}
