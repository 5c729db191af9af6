/** The texts of annotations. Not for applications. */
@NullMarked
package dev.leasehold.spring.text;

import org.jspecify.annotations.NullMarked;
