package dev.leasehold.doctor;

import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What more than one check of a look asks for, read for the first of them. Not thread-safe. */
final class Kept {

    private @Nullable List<Session> sessions;
    private @Nullable List<AdvisoryLock> advisoryLocks;
    private @Nullable KeyNames keyNames;

    List<Session> sessions(Sight sight) throws SQLException {
        List<Session> read = sessions;
        if (read == null) {
            read = Session.all(sight);
            sessions = read;
        }
        return read;
    }

    List<AdvisoryLock> advisoryLocks(Sight sight) throws SQLException {
        List<AdvisoryLock> read = advisoryLocks;
        if (read == null) {
            read = AdvisoryLock.all(sight);
            advisoryLocks = read;
        }
        return read;
    }

    KeyNames keyNames(Sight sight) throws SQLException {
        KeyNames read = keyNames;
        if (read == null) {
            read = new KeyNames(HashedName.all(sight), sight.server().database());
            keyNames = read;
        }
        return read;
    }
}
