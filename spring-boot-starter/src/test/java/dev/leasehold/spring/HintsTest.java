package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leases;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

/** What a native image keeps. */
class HintsTest {

    private final RuntimeHints hints = new RuntimeHints();

    HintsTest() {
        new LeaseholdHints().registerHints(hints, getClass().getClassLoader());
    }

    @Test
    void theDdlInTheJarIsKept() {
        for (String file : new String[] {"schema.sql", "round_runs.sql"}) {
            assertThat(Leases.class.getResource(file)).isNotNull();
            assertThat(RuntimeHintsPredicates.resource().forResource("dev/leasehold/" + file))
                    .accepts(hints);
        }
    }

    @Test
    void virtualThreadsCanBeMade() throws Exception {
        assertThat(RuntimeHintsPredicates.reflection().onType(Thread.class)).accepts(hints);
    }
}
