/** What holds for every request: who may ask, what a browser may do with the answer, and how an error looks. */
@NullMarked
package dev.leasehold.watch.web;

import org.jspecify.annotations.NullMarked;
