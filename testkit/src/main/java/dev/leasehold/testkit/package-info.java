/** A real PostgreSQL for tests: one embedded server a JVM, with durable settings, and a fresh database a test. */
@NullMarked
package dev.leasehold.testkit;

import org.jspecify.annotations.NullMarked;
