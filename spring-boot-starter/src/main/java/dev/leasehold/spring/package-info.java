/** Leases in a Spring Boot application: a {@code Leases} bean on the application's {@code DataSource}. */
@NullMarked
package dev.leasehold.spring;

import org.jspecify.annotations.NullMarked;
