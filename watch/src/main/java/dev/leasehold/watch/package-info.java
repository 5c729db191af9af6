@NullMarked
package dev.leasehold.watch;

import org.jspecify.annotations.NullMarked;
