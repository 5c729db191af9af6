/** Fences the transactions of exclusive work. What is public here is so for other packages of the starter, not for applications. */
@NullMarked
package dev.leasehold.spring.transactions;

import org.jspecify.annotations.NullMarked;
