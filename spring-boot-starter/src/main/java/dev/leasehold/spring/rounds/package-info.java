/** The rounds of a Spring application: beans and annotated methods, started and stopped with it. */
@NullMarked
package dev.leasehold.spring.rounds;

import org.jspecify.annotations.NullMarked;
