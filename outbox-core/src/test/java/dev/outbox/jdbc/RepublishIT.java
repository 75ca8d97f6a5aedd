package dev.outbox.jdbc;

import static dev.outbox.jdbc.DecidedRows.ADA;
import static dev.outbox.jdbc.DecidedRows.topic;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.DecisionResult;
import dev.outbox.OutboxOperations;
import dev.outbox.RecordFilter;
import dev.outbox.TestOutbox;
import dev.outbox.TooManyRecordsException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Published records, published once more. */
class RepublishIT {

    private static final Instant NOON = Instant.parse("2024-01-02T12:00:00Z");

    private static final TestOutbox outbox = new TestOutbox();

    private final DecidedRows rows = new DecidedRows(outbox);
    private final OutboxOperations operations = rows.operations();

    @AfterAll
    static void closeOutbox() throws Exception {
        outbox.close();
    }

    @BeforeEach
    void clear() {
        rows.clear();
    }

    @Test
    void aPublishedRecordComesBackBeforeWhatWaitsOfItsAggregate() {
        rows.append("orders", "a", "a", "a", "b");
        rows.publish("seq <= 2");
        rows.set("waiting = true, next_attempt_at = now() + interval '1 hour', attempts = 3", "seq = 3");
        rows.set("attempts = 4", "seq = 1");

        RecordFilter aggregate = RecordFilter.builder().aggregate("order", "a").build();
        assertThat(operations.previewRepublish(aggregate)).isEqualTo(new DecisionResult(2, List.of(1L, 2L)));
        assertThat(rows.states(1, 2)).containsExactly("published attempts 4", "published attempts 0");
        assertThat(rows.audit()).isEmpty();

        assertThat(operations.republish(aggregate, ADA)).isEqualTo(new DecisionResult(2, List.of(1L, 2L)));
        assertThat(rows.states(1, 2, 3, 4))
                .containsExactly("waiting due attempts 0", "waiting attempts 0", "waiting attempts 3", "attempts 0");
        assertThat(rows.audit()).extracting(DecidedRows::audited).containsExactly("ada re-publish [1, 2]");
    }

    @Test
    void aRecordBehindAParkedOneWaitsForThatOnesDecision() {
        rows.append("orders", "a", "a");
        rows.park("seq = 1");
        rows.publish("seq = 2");

        operations.republish(RecordFilter.ofSeqs(1L, 2L), ADA);
        assertThat(rows.states(1, 2)).containsExactly("waiting parked attempts 5", "waiting attempts 0");
        operations.discard(RecordFilter.ofSeqs(1L), ADA);
        assertThat(rows.state(2)).isEqualTo("waiting due attempts 0");
    }

    @Test
    void aRangeIsChosenByTopicTypeAndTime() {
        rows.appendMany("orders", 10);
        rows.appendMany("stock", 10);
        outbox.jdbc
                .sql("UPDATE outbox_event SET created_at = timestamptz '2024-01-02 12:00Z' + seq * interval '1 hour'")
                .update();
        rows.set("published_at = timestamptz '2024-01-03 12:00Z' + seq * interval '1 hour'", "seq <> 3");

        assertThat(matching(filter().topic("stock"))).containsExactly(11L, 12L, 13L, 14L, 15L, 16L, 17L, 18L, 19L, 20L);
        assertThat(matching(filter().eventType("order.cancelled"))).isEmpty();
        assertThat(matching(filter().appendedBetween(hours(2), hours(5)))).containsExactly(2L, 4L);
        assertThat(matching(filter().appendedBetween(hours(-50), hours(2)))).containsExactly(1L);
        assertThat(matching(filter().appendedBetween(hours(20), hours(500)))).containsExactly(20L);
        assertThat(matching(filter().appendedBetween(hours(21), hours(500)))).isEmpty();
        assertThat(matching(filter().publishedBetween(hours(26), hours(29)))).containsExactly(2L, 4L);
        assertThat(matching(filter().topic("stock")
                        .appendedBetween(hours(9), hours(14))
                        .publishedBetween(hours(36), hours(500))))
                .containsExactly(12L, 13L);
        assertThat(matching(filter().topic("orders").seqs(List.of(1L, 3L, 15L))))
                .containsExactly(1L);
    }

    @Test
    void numbersThatWereDrawnInAnotherOrderThanTimeAreFound() {
        rows.appendMany("orders", 200);
        outbox.jdbc
                .sql("UPDATE outbox_event SET created_at = timestamptz '2024-01-02 12:00Z' + seq * interval '1 minute'"
                        + " + ((seq * 4) % 9 - 4) * interval '30 seconds'")
                .update();
        rows.publish("true");
        for (int minute = 40; minute < 70; minute++) {
            Instant from = NOON.plus(Duration.ofMinutes(minute));
            Instant to = from.plus(Duration.ofMinutes(15));
            List<Long> expected = outbox.jdbc
                    .sql("SELECT seq FROM outbox_event WHERE created_at >= ? AND created_at < ? ORDER BY seq")
                    .params(RecordSearch.atUtc(from), RecordSearch.atUtc(to))
                    .query(Long.class)
                    .list();
            assertThat(expected).hasSizeBetween(10, 20);
            assertThat(matching(filter().appendedBetween(from, to))).isEqualTo(expected);
        }
    }

    @Test
    void walksAsManyStepsAsItTakesAndWorksInTransactionsOfAThousand() {
        int count = 2 * RecordSearch.STEP + 10;
        rows.appendMany("orders", count);
        rows.publish("true");
        rows.appendMany("stock", 1);
        rows.publish("seq = " + (count + 1));

        assertThat(operations.republish(topic("stock"), ADA).seqs()).containsExactly(count + 1L);
        RecordFilter all = filter().topic("orders").build();
        assertThatThrownBy(() -> operations.republish(all, ADA))
                .isInstanceOf(TooManyRecordsException.class)
                .hasMessageContaining("re-publish: more than 10000 records match, at most 10000 allowed");
        assertThat(outbox.count("waiting")).isEqualTo(1);
        assertThat(operations.previewRepublish(all).count()).isEqualTo(count);

        RecordFilter more = filter().topic("orders").atMost(count).build();
        assertThat(operations.republish(more, ADA).count()).isEqualTo(count);
        assertThat(outbox.count("waiting AND published_at IS NULL AND next_attempt_at <= now()"))
                .isEqualTo(count + 1);
        assertThat(rows.audit()).hasSize(12);
    }

    @Test
    void whatIsPurgedMeanwhileIsNotFound() {
        rows.append("orders", "a", "b");
        rows.publish("true");
        outbox.jdbc.sql("DELETE FROM outbox_delivery WHERE seq = 1").update();
        outbox.jdbc.sql("DELETE FROM outbox_event WHERE seq = 1").update();

        assertThat(operations.republish(RecordFilter.ofSeqs(1L, 2L), ADA).seqs())
                .containsExactly(2L);
        assertThat(operations.republish(topic("nothing"), ADA).count()).isZero();
        outbox.clear();
        assertThat(matching(filter().appendedBetween(NOON, NOON.plusSeconds(1))))
                .isEmpty();
    }

    @Test
    void aFilterThatMatchesEverythingIsRefused() {
        for (RecordFilter filter : List.of(RecordFilter.ALL, filter().atMost(5).build())) {
            assertThatThrownBy(() -> operations.republish(filter, ADA))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("re-publish: the filter has no criterion and would match every record");
            assertThatThrownBy(() -> operations.previewRepublish(filter)).hasMessageContaining("no criterion");
        }
    }

    private List<Long> matching(RecordFilter.Builder filter) {
        return operations.previewRepublish(filter.build()).seqs();
    }

    private static RecordFilter.Builder filter() {
        return RecordFilter.builder();
    }

    private static Instant hours(int after) {
        return NOON.plus(Duration.ofHours(after));
    }
}
