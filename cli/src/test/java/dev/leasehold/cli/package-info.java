@NullMarked
package dev.leasehold.cli;

import org.jspecify.annotations.NullMarked;
