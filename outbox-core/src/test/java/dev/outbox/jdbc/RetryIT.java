package dev.outbox.jdbc;

import static dev.outbox.jdbc.DecidedRows.ADA;
import static dev.outbox.jdbc.DecidedRows.BOB;
import static dev.outbox.jdbc.DecidedRows.topic;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Aggregate;
import dev.outbox.AuditEntry;
import dev.outbox.DecisionResult;
import dev.outbox.OutboxOperations;
import dev.outbox.ParkedRecord;
import dev.outbox.RecordFilter;
import dev.outbox.TestOutbox;
import dev.outbox.TooManyRecordsException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Parked records: seen, retried, discarded. */
class RetryIT {

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
    void aRetriedRecordIsDueWithNoAttemptCountedAndKeepsItsLastError() {
        rows.append("orders", "a", "a", "b");
        rows.set("waiting = true", "seq = 2");
        rows.park("seq IN (1, 3)");

        assertThat(operations.retry(RecordFilter.ofSeqs(1L), ADA)).isEqualTo(new DecisionResult(1, List.of(1L)));
        assertThat(rows.states(1, 2, 3))
                .containsExactly("waiting due attempts 0", "waiting attempts 0", "waiting parked attempts 5");
        assertThat(outbox.count("last_error = 'boom'")).isEqualTo(2);
        assertThat(rows.audit()).singleElement().satisfies(entry -> {
            assertThat(List.of(entry.actor(), entry.action(), entry.reason()))
                    .containsExactly("ada", "retry", "the topic was missing");
            assertThat(entry.target()).isEqualTo(new AuditEntry.Target(null, List.of(1L)));
            assertThat(entry.decidedAt())
                    .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
        });
    }

    @Test
    void onlyTheFirstThatWaitsOfAnAggregateIsMadeDue() {
        rows.append("orders", "a", "a", "a", "a");
        rows.set("parked_at = clock_timestamp(), attempts = 5", "seq IN (1, 3)");
        rows.set("waiting = true, next_attempt_at = now() + interval '1 hour', attempts = 2", "seq = 2");

        assertThat(operations.retry(topic("orders"), ADA).seqs()).containsExactly(1L, 3L);
        assertThat(rows.states(1, 2, 3, 4))
                .containsExactly("waiting due attempts 0", "waiting attempts 2", "waiting attempts 0", "attempts 0");
    }

    @Test
    void aRecordRetriedBehindOneThatWaitsForItsTimeLeavesThatTimeAlone() {
        rows.append("orders", "a", "a");
        rows.set("waiting = true, next_attempt_at = now() + interval '1 hour', attempts = 2", "seq = 1");
        rows.park("seq = 2");

        operations.retry(RecordFilter.ofSeqs(2L), ADA);
        assertThat(rows.states(1, 2)).containsExactly("waiting later attempts 2", "waiting attempts 0");
    }

    @Test
    void manyAreRetriedByFilterAndNothingElse() {
        rows.append("orders", "a", "b");
        rows.append("stock", "c");
        rows.append("orders", "d", "e");
        rows.park("seq <= 4");
        rows.set("waiting = false, discarded_at = now()", "seq = 4");
        Instant far = Instant.parse("2100-01-01T00:00:00Z");

        assertThat(List.of(
                        operations.previewRetry(RecordFilter.ALL).seqs(),
                        operations.previewRetry(topic("orders")).seqs(),
                        operations
                                .previewRetry(RecordFilter.builder()
                                        .topic("orders")
                                        .aggregate("order", "b")
                                        .build())
                                .seqs(),
                        operations
                                .previewRetry(RecordFilter.builder()
                                        .topic("orders")
                                        .seqs(List.of(1L, 3L, 4L, 5L, 99L))
                                        .build())
                                .seqs(),
                        operations
                                .previewRetry(RecordFilter.builder()
                                        .eventType("order.cancelled")
                                        .build())
                                .seqs(),
                        operations
                                .previewRetry(RecordFilter.builder()
                                        .appendedBetween(far, far.plusSeconds(1))
                                        .build())
                                .seqs()))
                .containsExactly(List.of(1L, 2L, 3L), List.of(1L, 2L), List.of(2L), List.of(1L), List.of(), List.of());
        assertThat(rows.audit()).isEmpty();
        assertThat(operations.retry(topic("orders"), ADA).seqs()).containsExactly(1L, 2L);
        assertThat(rows.states(3, 4, 5))
                .containsExactly("waiting parked attempts 5", "parked discarded attempts 5", "attempts 0");
    }

    @Test
    void whatWasNeverParkedOrIsDecidedIsLeftAloneAndLeavesNoTrace() {
        rows.append("orders", "a", "b", "c");
        rows.publish("seq = 2");
        rows.set("waiting = true, next_attempt_at = now() + interval '1 hour'", "seq = 3");

        assertThat(operations.retry(RecordFilter.ofSeqs(1L, 2L, 3L, 4L), ADA).count())
                .isZero();
        assertThat(operations.discard(RecordFilter.ofSeqs(1L, 2L, 3L, 4L), ADA).count())
                .isZero();
        assertThat(rows.states(1, 2, 3))
                .containsExactly("attempts 0", "published attempts 0", "waiting later attempts 0");
        assertThat(rows.audit()).isEmpty();
    }

    @Test
    void aDiscardedRecordIsGoneForGoodAndWhatWaitsBehindItIsDue() {
        rows.append("orders", "a", "a", "a", "b");
        rows.set("waiting = true", "seq IN (2, 3)");
        rows.park("seq = 1");

        assertThat(operations.previewDiscard(topic("orders"))).isEqualTo(new DecisionResult(1, List.of(1L)));
        assertThat(operations.discard(topic("orders"), BOB)).isEqualTo(new DecisionResult(1, List.of(1L)));
        assertThat(rows.states(1, 2, 3, 4))
                .containsExactly(
                        "parked discarded attempts 5", "waiting due attempts 0", "waiting attempts 0", "attempts 0");
        assertThat(operations.discard(topic("orders"), BOB).count()).isZero();
        assertThat(operations.retry(topic("orders"), BOB).count()).isZero();
        assertThat(operations.parked(RecordFilter.ALL, ParkedRecord.Position.START, 10))
                .isEmpty();
        assertThat(outbox.store().backlog().parked()).isZero();
        assertThat(rows.audit()).extracting(DecidedRows::audited).containsExactly("bob discard [1]");
    }

    @Test
    void moreThanTheFilterAllowsIsRefusedBeforeAnythingIsWritten() {
        rows.appendMany("orders", 1_200);
        rows.park("true");
        RecordFilter filter =
                RecordFilter.builder().topic("orders").atMost(1_199).build();

        assertThatThrownBy(() -> operations.retry(filter, ADA))
                .isInstanceOf(TooManyRecordsException.class)
                .hasMessageContaining("retry: more than 1199 records match, at most 1199 allowed");
        assertThat(outbox.count("parked_at IS NOT NULL")).isEqualTo(1_200);
        assertThat(rows.audit()).isEmpty();
        assertThat(operations.previewRetry(filter))
                .isEqualTo(new DecisionResult(
                        1_200, LongStream.rangeClosed(1, 100).boxed().toList()));
    }

    @Test
    void manyAreDecidedInTransactionsOfAThousandEachWithItsEntry() {
        rows.appendMany("orders", 2_500);
        rows.park("seq > 500");
        rows.park("seq <= 500");

        assertThat(operations.retry(RecordFilter.ALL, ADA).count()).isEqualTo(2_500);
        assertThat(outbox.count("waiting AND next_attempt_at <= now() AND parked_at IS NULL"))
                .isEqualTo(2_500);
        assertThat(rows.audit())
                .extracting(entry -> entry.target().seqs().size())
                .containsExactly(500, 1_000, 1_000);
        assertThat(rows.audit().get(0).target().seqs())
                .isEqualTo(LongStream.rangeClosed(2_001, 2_500).boxed().toList());
        assertThat(rows.audit().stream().flatMap(entry -> entry.target().seqs().stream()))
                .doesNotHaveDuplicates()
                .hasSize(2_500);
    }

    @Test
    void parkedRecordsAreListedInPagesWithWhatADecisionNeeds() {
        rows.appendMany("orders", 3);
        rows.append("stock", "a");
        rows.park("true");
        rows.set("parked_at = (SELECT min(parked_at) FROM outbox_delivery)", "seq IN (2, 3)");
        rows.set("waiting = false", "seq = 4");

        List<Long> seen = new ArrayList<>();
        ParkedRecord.Position after = ParkedRecord.Position.START;
        for (List<ParkedRecord> page = operations.parked(RecordFilter.ALL, after, 2);
                !page.isEmpty();
                page = operations.parked(RecordFilter.ALL, after, 2)) {
            page.forEach(record -> seen.add(record.seq()));
            after = page.get(page.size() - 1).position();
        }
        assertThat(seen).containsExactly(1L, 2L, 3L, 4L);

        assertThat(operations.parked(topic("stock"), ParkedRecord.Position.START, 10))
                .singleElement()
                .satisfies(record -> {
                    assertThat(record.seq()).isEqualTo(4);
                    assertThat(record.topic()).isEqualTo("stock");
                    assertThat(record.type().name()).isEqualTo("order.confirmed");
                    assertThat(record.aggregate()).isEqualTo(new Aggregate("order", "a", null));
                    assertThat(record.eventId().version()).isEqualTo(7);
                    assertThat(record.parking().attempts()).isEqualTo(5);
                    assertThat(record.parking().blocking()).isFalse();
                    assertThat(record.parking().lastError()).isEqualTo("boom");
                });
    }

    @Test
    void theAuditIsReadFromTheNewestOn() {
        rows.append("orders", "a", "b", "c");
        for (long seq = 1; seq <= 3; seq++) {
            rows.park("seq = " + seq);
            operations.retry(RecordFilter.ofSeqs(seq), ADA);
        }
        List<AuditEntry> newest = operations.audit(AuditEntry.NEWEST, 2);
        assertThat(newest).extracting(DecidedRows::audited).containsExactly("ada retry [3]", "ada retry [2]");
        assertThat(operations.audit(newest.get(1).id(), 2))
                .extracting(DecidedRows::audited)
                .containsExactly("ada retry [1]");
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        Instant now = Instant.now();
        RecordFilter published = RecordFilter.builder()
                .publishedBetween(now.minusSeconds(1), now)
                .build();
        assertThatThrownBy(() -> operations.discard(RecordFilter.ALL, ADA))
                .hasMessage("discard: the filter has no criterion and would match every record");
        assertThatThrownBy(() -> operations.previewDiscard(RecordFilter.ALL)).hasMessageContaining("no criterion");
        for (var call : List.<org.assertj.core.api.ThrowableAssert.ThrowingCallable>of(
                () -> operations.retry(published, ADA),
                () -> operations.discard(published, ADA),
                () -> operations.parked(published, ParkedRecord.Position.START, 1))) {
            assertThatThrownBy(call).hasMessageContaining("parked ones were never published");
        }
        assertThatThrownBy(() -> operations.parked(RecordFilter.ALL, ParkedRecord.Position.START, 1_001))
                .hasMessage("limit: 1001 entries, from 1 to 1000 allowed");
        assertThatThrownBy(() -> operations.audit(AuditEntry.NEWEST, 0)).hasMessageContaining("limit: 0");
    }
}
