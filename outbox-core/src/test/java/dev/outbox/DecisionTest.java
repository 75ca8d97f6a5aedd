package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a decision and its filter may say. */
class DecisionTest {

    private static final Instant NOON = Instant.parse("2024-01-02T12:00:00Z");

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "\n\t"})
    void somebodyDecidesForAReason(String blank) {
        assertRefused(
                () -> new Decision(blank, "why"), "actor: blank (" + blank.length() + " characters), from 1 to 255");
        assertRefused(
                () -> new Decision("ada", blank), "reason: blank (" + blank.length() + " characters), from 1 to 2000");
    }

    @Test
    void textsHaveALimit() {
        assertThat(new Decision("a".repeat(255), "b".repeat(2_000)).actor()).hasSize(255);
        assertRefused(() -> new Decision("a".repeat(256), "why"), "actor: 256 characters, at most 255 allowed");
        assertRefused(() -> new Decision("ada", "b".repeat(2_001)), "reason: 2001 characters, at most 2000 allowed");
        assertRefused(() -> filter().topic("t".repeat(250)), "topic: 250 characters, at most 249 allowed");
        assertRefused(() -> filter().eventType("t".repeat(256)), "eventType: 256 characters, at most 255 allowed");
        assertRefused(() -> filter().aggregate("t".repeat(256), "1"), "aggregateType: 256 characters");
        assertRefused(
                () -> filter().aggregate("t", "1".repeat(513)), "aggregateId: 513 characters, at most 512 allowed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\0b", "a\ud800", "\udc00\ud800"})
    void whatTheDatabaseCannotStoreIsRefusedByName(String text) {
        assertRefused(() -> new Decision(text, "why"), "actor: character");
        assertRefused(() -> new Decision("ada", text), "reason: character");
        assertRefused(() -> filter().topic(text), "topic: character");
        assertRefused(() -> filter().eventType(text), "eventType: character");
        assertRefused(() -> filter().aggregate(text, "1"), "aggregateType: character");
        assertRefused(() -> filter().aggregate("order", text), "aggregateId: character");
    }

    @Test
    void aFilterHasNumbersThatMakeSense() {
        assertRefused(() -> filter().atMost(0), "atMost: 0 records, from 1 to 1000000 allowed");
        assertRefused(() -> filter().atMost(1_000_001), "atMost: 1000001 records");
        assertRefused(() -> filter().seqs(List.of()), "seqs: 0, from 1 to 10000 required");
        assertRefused(
                () -> filter().seqs(LongStream.rangeClosed(1, 10_001).boxed().toList()),
                "seqs: 10001, from 1 to 10000");
        assertRefused(() -> filter().appendedBetween(NOON, NOON), "must end after it begins");
        assertRefused(() -> filter().publishedBetween(NOON, NOON.minusSeconds(1)), "must end after it begins");
        assertRefused(() -> filter().appendedBetween(Instant.MIN, NOON), "from 1970");
        assertRefused(() -> filter().appendedBetween(NOON, Instant.MAX), "to 9999");
    }

    @Test
    void aFilterKnowsWhetherItMatchesAll() {
        assertThat(RecordFilter.ALL.matchesAll()).isTrue();
        assertThat(filter().atMost(5).build().matchesAll()).isTrue();
        assertThat(List.of(
                        RecordFilter.ofSeqs(2L, 1L, 2L),
                        filter().topic("orders").build(),
                        filter().eventType("order.confirmed").build(),
                        filter().aggregate("order", "1").build(),
                        filter().appendedBetween(NOON, NOON.plusSeconds(1)).build(),
                        filter().publishedBetween(NOON, NOON.plusSeconds(1)).build()))
                .noneMatch(RecordFilter::matchesAll);
        assertThat(RecordFilter.ofSeqs(2L, 1L, 2L).seqs()).containsExactly(1L, 2L);
    }

    private static RecordFilter.Builder filter() {
        return RecordFilter.builder();
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
