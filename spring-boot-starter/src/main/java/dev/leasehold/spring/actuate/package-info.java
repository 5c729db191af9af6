/** What an application shows of its leases where Spring Boot's actuator is there: health, an endpoint, meters. */
@NullMarked
package dev.leasehold.spring.actuate;

import org.jspecify.annotations.NullMarked;
