/**
 * Requests to targets and webhooks that may do anything: one {@code Exchange} a request, over a connection of its own.
 *
 * <p>Whoever starts an exchange ends it: {@code close()} takes the connection away in whatever state it is, so that no
 * answer, however broken, and no silence costs more than the time it is given. That is why these requests are not made
 * with the JDK's client: it keeps the connection when the head of an answer cannot be parsed.
 */
@NullMarked
package dev.leasehold.watch.http;

import org.jspecify.annotations.NullMarked;
