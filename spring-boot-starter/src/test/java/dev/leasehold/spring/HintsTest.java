package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leases;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
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

    /** By name, for this is compiled for a Java that has no builder of threads. */
    @ParameterizedTest
    @ValueSource(strings = {"java.lang.Thread", "java.lang.Thread$Builder"})
    void thePublicMethodsByWhichVirtualThreadsAreMadeCanBeInvoked(String type) {
        assertThat(hints.reflection().getTypeHint(TypeReference.of(type)))
                .satisfies(
                        hint -> assertThat(hint.getMemberCategories()).contains(MemberCategory.INVOKE_PUBLIC_METHODS));
    }
}
