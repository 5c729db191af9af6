package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is left of a limit, and from where on that is too little. */
class ConnectionLimitsTest {

    @Test
    void whatIsReservedIsNotUsable() {
        var limits = new ConnectionLimits(100, 3, 2);
        assertThat(limits.usable()).isEqualTo(95);
        assertThat(limits.words())
                .isEqualTo("max_connections is 100, 3 of them kept for superusers, 2 for roles with"
                        + " pg_use_reserved_connections");
        assertThat(new ConnectionLimits(2, 2, 1).usable()).isZero();
    }

    @Test
    void fourFifthsAreARiskAndNineteenTwentiethsAProblem() {
        assertThat(new Fill(79, 100).severity()).isEqualTo(Severity.INFORMATION);
        assertThat(new Fill(80, 100).severity()).isEqualTo(Severity.RISK);
        assertThat(new Fill(94, 100).severity()).isEqualTo(Severity.RISK);
        assertThat(new Fill(95, 100).severity()).isEqualTo(Severity.PROBLEM);
        assertThat(new Fill(1, 1).severity()).isEqualTo(Severity.PROBLEM);
        assertThat(new Fill(1, 0).severity()).isEqualTo(Severity.PROBLEM);
    }
}
