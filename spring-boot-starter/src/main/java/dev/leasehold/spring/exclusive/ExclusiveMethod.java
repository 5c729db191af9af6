package dev.leasehold.spring.exclusive;

import dev.leasehold.LeaseRequest;
import dev.leasehold.LossPolicy;
import java.time.Duration;
import java.util.Optional;

/**
 * An exclusive method, as its annotation describes it; all that can be checked without a call is checked.
 *
 * @param described as people know it
 * @param name the name of its lease
 * @param ttl of its lease, if it has one of its own
 * @param waitFor how long to wait for the lease
 * @param onLoss what happens to a call whose lease is lost
 * @param otherwise what a skipped call returns
 */
record ExclusiveMethod(
        String described,
        NameExpression name,
        Optional<Duration> ttl,
        Duration waitFor,
        LossPolicy onLoss,
        ValueExpression otherwise) {

    /**
     * What one call asks for.
     *
     * @throws IllegalArgumentException if the name it makes of its arguments is not allowed
     */
    LeaseRequest request(Call call) {
        LeaseRequest request = LeaseRequest.named(name.of(call));
        return ttl.map(request::ttl).orElse(request);
    }
}
