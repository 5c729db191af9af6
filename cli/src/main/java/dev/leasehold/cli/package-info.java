/** The command line for operators: who holds which lease, and why is the pool empty. A class a command. */
@NullMarked
package dev.leasehold.cli;

import org.jspecify.annotations.NullMarked;
