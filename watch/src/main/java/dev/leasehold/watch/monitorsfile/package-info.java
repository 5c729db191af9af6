/** The YAML file that names monitors and domains: read at start, followed by the rows that came from it. */
@NullMarked
package dev.leasehold.watch.monitorsfile;

import org.jspecify.annotations.NullMarked;
