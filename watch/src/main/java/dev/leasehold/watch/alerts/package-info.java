/**
 * The alert evaluation: compares what the uptime checks saw last with the state that is stored, records each change
 * once, and tells it.
 *
 * <p>Data flows one way: {@code AlertConfiguration} wires the round, {@code AlertJob} runs it, {@code AlertRules}
 * decides, {@code AlertStore} persists; {@code Delivery} tells what {@code Outbox} holds, by {@code Webhook} or the log.
 *
 * <p>A change is one transaction: the transition under its number, the new state, and a row in the outbox for each
 * channel. (monitor, seq) is unique, so whoever decides the same change second writes nothing. What is in the outbox is
 * delivered until it was delivered, and what was delivered is never sent again, whoever starts anew.
 *
 * <p>A delivery is claimed in the database before it is sent and marked after it arrived. A process that dies between
 * the two leaves it open whether it arrived: it is sent again once the claim has run out, with the same key. So a
 * webhook gets each transition at least once, and sorts repeats out by the key.
 */
@NullMarked
package dev.leasehold.watch.alerts;

import org.jspecify.annotations.NullMarked;
