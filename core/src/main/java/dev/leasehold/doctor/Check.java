package dev.leasehold.doctor;

import java.sql.SQLException;
import java.util.List;

/** Looks for one kind of trouble. Reads only, and waits for no lock longer than {@link DoctorSql#BOUNDS} let it. */
@FunctionalInterface
interface Check {
    List<Finding> look(Sight sight) throws SQLException;
}
