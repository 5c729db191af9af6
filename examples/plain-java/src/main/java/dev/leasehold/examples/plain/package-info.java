/** A program without a framework that runs on as many instances as you like. */
@NullMarked
package dev.leasehold.examples.plain;

import org.jspecify.annotations.NullMarked;
