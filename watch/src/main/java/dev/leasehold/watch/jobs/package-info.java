/** What the jobs share: threads, settings and text. Knows none of them. */
@NullMarked
package dev.leasehold.watch.jobs;

import org.jspecify.annotations.NullMarked;
