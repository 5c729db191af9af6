package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.leasehold.internal.TableName;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What is refused when it is built, naming the value and the rule. */
class RulesTest {

    private static LeaseTerms terms(String ttl, String renewEvery, String margin) {
        return new LeaseTerms(Duration.parse(ttl), Duration.parse(renewEvery), Duration.parse(margin));
    }

    @Test
    void aLeaseIsTrustedForItsTtlLessTheMargin() {
        assertThat(terms("PT120S", "PT30S", "PT10S").trust()).isEqualTo(Duration.ofSeconds(110));
    }

    @Test
    void whatIsNotRenewedIsTrustedForAsLargeAPartOfItsLength() {
        var terms = terms("PT120S", "PT30S", "PT10S");
        assertThat(terms.trust(Duration.ofHours(1)))
                .isEqualTo(Duration.ofMinutes(60).minusSeconds(10));
        assertThat(terms.trust(Duration.ofSeconds(120))).isEqualTo(Duration.ofSeconds(110));
        assertThat(terms.trust(Duration.ofSeconds(12))).isEqualTo(Duration.ofSeconds(11));
    }

    @Test
    void renewalAboveAThirdOfTheTtlIsRefused() {
        assertThat(terms("PT30S", "PT10S", "PT5S")).isNotNull();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> terms("PT30S", "PT10.001S", "PT5S"))
                .withMessageContaining("renewEvery is PT10.001S")
                .withMessageContaining("at most a third of the ttl, PT30S");
        assertThatIllegalArgumentException().isThrownBy(() -> terms("PT30S", "PT0S", "PT5S"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> terms("PT30S", "PT0.049S", "PT5S"))
                .withMessageContaining("at least 50 ms");
        assertThatIllegalArgumentException().isThrownBy(() -> terms("PT30S", "PT-1S", "PT5S"));
    }

    @Test
    void aMarginAboveAThirdOfTheTtlIsRefused() {
        assertThat(terms("PT30S", "PT10S", "PT10S")).isNotNull();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> terms("PT30S", "PT10S", "PT10.001S"))
                .withMessageContaining("margin is PT10.001S");
        assertThatIllegalArgumentException().isThrownBy(() -> terms("PT30S", "PT10S", "PT0S"));
    }

    @Test
    void aTtlOutOfReasonIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> terms("PT0.499S", "PT0.1S", "PT0.1S"))
                .withMessageContaining("ttl is PT0.499S");
        assertThatIllegalArgumentException().isThrownBy(() -> terms("PT24H0.001S", "PT1S", "PT1S"));
    }

    @Test
    void namesThatPostgresqlCannotKeepAreRefused() {
        assertThat(LeaseName.check("a")).isEqualTo("a");
        assertThat(LeaseName.check("😀".repeat(512))).hasSize(1024);
        assertThatIllegalArgumentException().isThrownBy(() -> LeaseName.check(""));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseName.check("x".repeat(513)))
                .withMessageContaining("513 characters")
                .withMessageEndingWith(": \"" + "x".repeat(60) + "...\"");
        assertThatIllegalArgumentException().isThrownBy(() -> LeaseName.check("a\0b"));
        assertThatIllegalArgumentException().isThrownBy(() -> LeaseName.check("a\uD83D"));
        assertThatIllegalArgumentException().isThrownBy(() -> LeaseName.check("\uDE00\uD83D"));
    }

    @Test
    void aNameThatIsNullIsRefusedLikeAnEmptyOne() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseName.check(""))
                .withMessage("the name of a lease has 0 characters, but must have 1 to 512: \"\"");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseName.check(nothing()))
                .withMessage("the name of a lease is null, but must have 1 to 512 characters");
        assertThatIllegalArgumentException().isThrownBy(() -> LeaseRequest.named(nothing()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SlotRequest(nothing(), Grid.every(Duration.ofHours(1))));
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // callers without that check pass null
    private static <T> T nothing() {
        return null;
    }

    @Test
    void aGridThatPostgresqlCannotKeepIsRefused() {
        assertThat(new Grid(Duration.ofSeconds(30), Duration.ofSeconds(15))).isNotNull();
        assertThatIllegalArgumentException().isThrownBy(() -> Grid.every(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> Grid.every(Duration.ofSeconds(-1)));
        assertThat(Grid.every(Duration.ofDays(366))).isNotNull();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Grid.every(Duration.ofDays(367)))
                .withMessageContaining("period is PT8808H");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Grid.every(Duration.ofNanos(1_000_001)))
                .withMessageContaining("whole microseconds");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Grid(Duration.ofSeconds(30), Duration.ofSeconds(30)))
                .withMessageContaining("offset is PT30S");
        assertThatIllegalArgumentException().isThrownBy(() -> new Grid(Duration.ofSeconds(30), Duration.ofSeconds(-1)));
    }

    @Test
    void aTableNameIsTakenAsItIsAndQuoted() {
        assertThat(TableName.of("leases").quoted()).isEqualTo("\"leases\"");
        assertThat(TableName.of("My Schema.a\"b$1").quoted()).isEqualTo("\"My Schema\".\"a\"\"b$1\"");
        assertThatIllegalArgumentException().isThrownBy(() -> TableName.of(""));
        assertThatIllegalArgumentException().isThrownBy(() -> TableName.of("a.b.c"));
        assertThatIllegalArgumentException().isThrownBy(() -> TableName.of("a."));
        assertThatIllegalArgumentException().isThrownBy(() -> TableName.of("x".repeat(64)));
    }

    @Test
    void parametersBecomeQuestionMarksInTheirOrderAndCastsStay() {
        var sql = NamedSql.of("select :a::text, 'x' from leases where b = :b and a = :a", TableName.of("s.t$1"));
        assertThat(sql.jdbc()).isEqualTo("select ?::text, 'x' from \"s\".\"t$1\" where b = ? and a = ?");
        assertThat(sql.parameters()).containsExactly("a", "b", "a");
        var odd = NamedSql.of("select :a from leases", TableName.of("jobs:leases"));
        assertThat(odd.jdbc()).isEqualTo("select ? from \"jobs:leases\"");
        assertThat(odd.parameters()).containsExactly("a");
    }

    @Test
    void theTermsOfAnotherTtlKeepTheProportions() {
        assertThat(terms("PT120S", "PT20S", "PT12S").withTtl(Duration.ofHours(1), Duration.ofSeconds(5)))
                .isEqualTo(terms("PT1H", "PT10M", "PT6M"));
    }

    @Test
    void anotherTtlLeavesRoomForTwoStatements() {
        var terms = terms("PT120S", "PT30S", "PT10S");
        var bound = Duration.ofSeconds(5);
        assertThat(terms.withTtl(Duration.ofMillis(10_910), bound).trust())
                .isGreaterThanOrEqualTo(bound.multipliedBy(2));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> terms.withTtl(Duration.ofMillis(10_909), bound))
                .withMessage(
                        "ttl is PT10.909S, but must be PT10.91S to 1 day for leases whose statements may take PT5S");
        assertThatIllegalArgumentException().isThrownBy(() -> terms.withTtl(Duration.ofSeconds(-1), bound));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> terms.withTtl(Duration.ofHours(24).plusMillis(1), bound))
                .withMessageContaining("ttl is PT24H0.001S");
    }
}
