package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AggregateTest {

    /** These values are stored in databases and decide who publishes what. They must never change. */
    @ParameterizedTest
    @CsvSource({
        "order, 4711, 1979017002421281499, 27",
        "order, 4712, -2898877963324614392, 8",
        "customer, 4711, 4038904223342106323, 19",
        "Bestellung, Größe-ß-€-😀, -6850928102266222574, 18",
    })
    void hashAndLaneAreTheSameForEver(String type, String id, long hash, int lane) {
        Aggregate aggregate = new Aggregate(type, id, null);

        assertThat(aggregate.hash()).isEqualTo(hash);
        assertThat(Aggregate.lane(aggregate.hash())).isEqualTo(lane);
    }

    @Test
    void theVersionIsNoPartOfTheIdentity() {
        assertThat(new Aggregate("order", "1", 7L).hash()).isEqualTo(new Aggregate("order", "1", null).hash());
    }

    @Test
    void whereTheTypeEndsMatters() {
        assertThat(new Aggregate("ab", "c", null).hash()).isNotEqualTo(new Aggregate("a", "bc", null).hash());
    }

    @Test
    void everyHashHasALane() {
        assertThat(LongStream.of(Long.MIN_VALUE, -65, -1, 0, 1, 63, 64, Long.MAX_VALUE)
                        .mapToInt(Aggregate::lane))
                .containsExactly(0, 63, 63, 0, 1, 63, 0, 63);
    }
}
