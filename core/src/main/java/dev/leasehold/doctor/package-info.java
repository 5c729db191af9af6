/**
 * The doctor: one look at a PostgreSQL server that says why a pool of connections is empty, for any application on it.
 *
 * <p>{@link dev.leasehold.doctor.Doctor} borrows one connection and runs the checks, each a class that asks one or two
 * statements of {@code DoctorSql} and judges what came back. A {@link dev.leasehold.doctor.Finding} has what it was concluded
 * from, what it means and what to do; a {@link dev.leasehold.doctor.Diagnosis} has them all, the worst first. Nothing is
 * changed, and nothing waits for a lock.
 */
@NullMarked
package dev.leasehold.doctor;

import org.jspecify.annotations.NullMarked;
