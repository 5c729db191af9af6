/** Whole instances of the service, started in this JVM on a database of their own, and asked over HTTP. */
@NullMarked
package dev.leasehold.watch.running;

import org.jspecify.annotations.NullMarked;
