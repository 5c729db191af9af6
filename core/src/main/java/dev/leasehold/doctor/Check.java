package dev.leasehold.doctor;

import java.sql.SQLException;
import java.util.List;

/** Looks for one kind of trouble. Reads only, and waits for nothing. */
@FunctionalInterface
interface Check {
    List<Finding> look(Sight sight) throws SQLException;
}
