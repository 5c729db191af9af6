/** What several tests of the service need: a migrated database, a small pool on it, a DNS server. */
@NullMarked
package dev.leasehold.watch.testing;

import org.jspecify.annotations.NullMarked;
