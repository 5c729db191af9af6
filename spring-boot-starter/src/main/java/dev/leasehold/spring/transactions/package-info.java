/** Fences the transactions of exclusive work. */
@NullMarked
package dev.leasehold.spring.transactions;

import org.jspecify.annotations.NullMarked;
