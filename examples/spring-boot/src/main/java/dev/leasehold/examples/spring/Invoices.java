package dev.leasehold.examples.spring;

import dev.leasehold.spring.Exclusive;
import java.util.OptionalLong;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Gives out invoice numbers without gaps: no constraint keeps two calls from the same number, their lease does. */
@Service
class Invoices {

    private final JdbcClient jdbc;

    Invoices(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Empty if others were busy for all of the wait. The commit fails if the lease has been lost before it. */
    @Transactional
    @Exclusive(name = "invoices", waitFor = "${invoices.wait:5s}")
    OptionalLong next(String customer) {
        long number =
                jdbc.sql("""
                        insert into invoice (number, customer)
                        select coalesce(max(number), 0) + 1, :customer from invoice
                        returning number
                        """).param("customer", customer).query(Long.class).single();
        return OptionalLong.of(number);
    }
}
