/** The page of the doctor: one look at the database server when somebody asks for it. */
@NullMarked
package dev.leasehold.watch.doctor;

import org.jspecify.annotations.NullMarked;
