package dev.leasehold.doctor;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * A name that advisory locks may be taken on, with the server's hashes of it.
 *
 * @param shortHash of {@code hashtext}
 * @param longHash of {@code hashtextextended} with 0
 * @param ownHash on which a lease of that name is locked for a moment; null if there is none
 */
record HashedName(
        String name, int shortHash, long longHash, @Nullable Long ownHash) {

    private static final String OF_THE_SCHEMA = "leasehold schema";

    /** Those that were given, and those of leases, as far as this role may read them. */
    static List<HashedName> all(Sight sight) throws SQLException {
        var names = new ArrayList<>(sight.questions().names());
        names.add(OF_THE_SCHEMA);
        names.removeIf(name -> name.isEmpty() || name.indexOf('\0') >= 0);
        var all = new ArrayList<>(sight.rows(DoctorSql.NAMES, HashedName::read, (Object) names.toArray(String[]::new)));
        all.addAll(LeaseNames.read(sight, HashedName::read));
        return all;
    }

    private static HashedName read(ResultSet row) throws SQLException {
        return new HashedName(row.getString("name"), (int) row.getLong("short_hash"), row.getLong("long_hash"), (Long)
                row.getObject("own_hash"));
    }

    /** As a number of 32 bits that clients compute; it has no sign. */
    static long crc(String text) {
        var crc = new CRC32();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return crc.getValue();
    }
}
