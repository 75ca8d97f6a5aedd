package dev.outbox.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FaultPlanTest {

    private static final int GROUPS = 500;

    @Test
    void oneSeedIsOnePlan() {
        assertThat(groups(7)).isEqualTo(groups(7)).isNotEqualTo(groups(8));
    }

    @Test
    void everyKindComesOnceBeforeAnyComesAgain() {
        List<FaultKind> kinds =
                groups(7).stream().flatMap(List::stream).map(PlannedFault::kind).toList();

        int all = FaultKind.values().length;
        for (int round = 0; round < 10; round++) {
            assertThat(kinds.subList(round * all, (round + 1) * all)).containsExactlyInAnyOrder(FaultKind.values());
        }
    }

    @Test
    void twoAtOnceAtMostOverlapAndBreakDifferentParts() {
        List<List<PlannedFault>> pairs =
                groups(7).stream().filter(group -> group.size() > 1).toList();

        assertThat(pairs).isNotEmpty().allSatisfy(pair -> {
            assertThat(pair).hasSize(2);
            assertThat(pair.get(0).kind().part())
                    .isNotEqualTo(pair.get(1).kind().part());
            assertThat(pair.get(1).delay())
                    .isBetween(pair.get(0).delay(), pair.get(0).end());
        });
    }

    @Test
    void durationsAndTargetsStayWithinTheirBounds() {
        assertThat(groups(7).stream().flatMap(List::stream)).allSatisfy(fault -> {
            assertThat(fault.duration().toMillis())
                    .isBetween(
                            fault.kind().leastSeconds() * 1_000L, fault.kind().mostSeconds() * 1_000L);
            assertThat(fault.targets(List.of("a", "b", "c")))
                    .doesNotHaveDuplicates()
                    .hasSizeBetween(1, 3);
        });
    }

    private static List<List<PlannedFault>> groups(long seed) {
        FaultPlan plan = new FaultPlan(seed, EnumSet.allOf(FaultKind.class));
        return Stream.generate(plan::next).limit(GROUPS).toList();
    }
}
