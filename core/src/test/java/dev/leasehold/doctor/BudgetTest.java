package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.doctor.Budget.Role;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The arithmetic of a budget, at its borders too. */
class BudgetTest {

    private static final Budget THREE_ROLES =
            new Budget(List.of(new Role("web", 2, 2, 4), new Role("worker", 2, 2, 4), new Role("scheduler", 2, 2, 4)));

    private static Budget of(Role... roles) {
        return new Budget(List.of(roles));
    }

    @Test
    void threeRolesOfTwoInstancesThatOverlapInADeployWithAPoolOfFourNeedFortyEight() {
        assertThat(THREE_ROLES.needed()).isEqualTo(48);
        assertThat(THREE_ROLES.pools()).isEqualTo(12);
        assertThat(THREE_ROLES.left(120)).isEqualTo(72);
        assertThat(THREE_ROLES.fits(120)).isTrue();
        assertThat(THREE_ROLES.largestPool(120)).isEqualTo(10);
        assertThat(THREE_ROLES.largestPool(THREE_ROLES.roles().get(0), 120)).isEqualTo((120 - 32) / 4);
    }

    @ParameterizedTest
    @CsvSource({"48, true, 0, 4", "47, false, -1, 3", "12, false, -36, 1", "11, false, -37, 0", "0, false, -48, 0"})
    void theLargestPoolIsTheOneWithWhichTheBudgetStillFits(int limit, boolean fits, int left, int largest) {
        assertThat(THREE_ROLES.fits(limit)).isEqualTo(fits);
        assertThat(THREE_ROLES.left(limit)).isEqualTo(left);
        assertThat(THREE_ROLES.largestPool(limit)).isEqualTo(largest);
    }

    @Test
    void aLimitBelowZeroLeavesNoPool() {
        Role web = new Role("web", 2, 2, 4);
        assertThat(of(web).largestPool(-5)).isZero();
        assertThat(of(web).largestPool(web, -5)).isZero();
        assertThat(of(web).left(-5)).isEqualTo(-21);
    }

    @Test
    void aRoleMayTakeWhatTheOthersLeave() {
        Role web = new Role("web", 3, 2, 10);
        Role worker = new Role("worker", 1, 1, 5);
        Budget budget = of(web, worker);
        assertThat(budget.needed()).isEqualTo(65);
        assertThat(budget.largestPool(web, 100)).isEqualTo(15);
        assertThat(budget.largestPool(worker, 100)).isEqualTo(40);
        assertThat(budget.largestPool(worker, 59)).isZero();
        assertThat(budget.largestPool(100)).isEqualTo(14);
    }

    @Test
    void theLargestBudgetDoesNotOverflow() {
        List<Role> roles = IntStream.range(0, 1_000)
                .mapToObj(i -> new Role("role" + i, 100_000, 100_000, 100_000))
                .toList();
        Budget budget = new Budget(roles);
        assertThat(budget.needed()).isEqualTo(1_000_000_000_000_000_000L);
        assertThat(budget.left(Integer.MIN_VALUE)).isEqualTo(-1_000_000_002_147_483_648L);
        assertThat(budget.largestPool(Integer.MAX_VALUE)).isZero();
        assertThat(of(new Role("one", 1, 1, 1)).largestPool(Integer.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1, 1, instances of role \"web\" is 0",
        "1, 0, 1, overlap of role \"web\" is 0",
        "1, 1, -4, pool of role \"web\" is -4",
        "100001, 1, 1, instances of role \"web\" is 100001"
    })
    void nonsenseIsRefusedWithTheValueAndTheRule(int instances, int overlap, int pool, String said) {
        assertThatThrownBy(() -> new Role("web", instances, overlap, pool))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(said + ", but must be 1 to 100,000");
    }

    @Test
    void rolesAreOneToAThousandOfDifferentNames() {
        Role web = new Role("web", 1, 1, 1);
        assertThatThrownBy(() -> new Budget(List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("roles are 0, but must be 1 to 1,000");
        assertThatThrownBy(() -> new Budget(Collections.nCopies(1_001, web)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("roles are 1001");
        assertThatThrownBy(() -> of(web, new Role("web", 2, 1, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"web\" is there twice");
        assertThatThrownBy(() -> new Role(" ", 1, 1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must not be blank");
        assertThatThrownBy(() -> of(web).largestPool(new Role("other", 1, 1, 1), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"other\" is not one of this budget");
    }
}
