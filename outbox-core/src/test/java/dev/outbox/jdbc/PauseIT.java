package dev.outbox.jdbc;

import static dev.outbox.jdbc.DecidedRows.ADA;
import static dev.outbox.jdbc.DecidedRows.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.OutboxOperations;
import dev.outbox.Pause;
import dev.outbox.TestOutbox;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What operators stop and let go on. */
class PauseIT {

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
    void aPauseIsARowThatEveryInstanceReads() {
        assertThat(operations.pause("orders", ADA)).isTrue();
        assertThat(operations.pauseRelay(BOB)).isTrue();
        assertThat(rows.operations().pauses())
                .extracting(Pause::topic, Pause::actor, Pause::reason, Pause::isWholeRelay)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("", "bob", "consumer lost its state", true),
                        org.assertj.core.groups.Tuple.tuple("orders", "ada", "the topic was missing", false));

        assertThat(operations.resumeRelay(ADA)).isTrue();
        assertThat(operations.pauses()).extracting(Pause::topic).containsExactly("orders");
        assertThat(operations.resume("orders", BOB)).isTrue();
        assertThat(operations.pauses()).isEmpty();
        assertThat(rows.audit())
                .extracting(entry -> entry.actor() + " " + entry.action() + " '"
                        + entry.target().topic() + "'")
                .containsExactly("bob resume 'orders'", "ada resume ''", "bob pause ''", "ada pause 'orders'");
    }

    @Test
    void whatIsPausedOrNotAlreadyIsLeftAloneAndLeavesNoTrace() {
        assertThat(operations.resume("orders", ADA)).isFalse();
        assertThat(operations.resumeRelay(ADA)).isFalse();
        operations.pause("orders", ADA);
        assertThat(operations.pause("orders", BOB)).isFalse();
        assertThat(operations.pauses()).extracting(Pause::actor).containsExactly("ada");
        assertThat(rows.audit()).hasSize(1);
    }

    @Test
    void theRecordsOfAResumedTopicAreDueAndNoOthers() {
        rows.append("orders", "a", "b", "c", "d");
        rows.append("stock", "e");
        rows.appendMany("orders", 2_500);
        rows.set(
                "waiting = true, attempts = 2, next_attempt_at = now() + interval '1 hour'",
                "seq IN (1, 5) OR seq > 5");
        rows.set("lane = 7", "seq > 5");
        rows.park("seq = 2");
        rows.set("waiting = true", "seq = 3");
        operations.pause("orders", ADA);

        operations.resume("orders", ADA);
        assertThat(rows.states(1, 2, 3, 4, 5))
                .containsExactly(
                        "waiting due attempts 2",
                        "waiting parked attempts 5",
                        "waiting attempts 0",
                        "attempts 0",
                        "waiting later attempts 2");
        assertThat(outbox.count("seq > 5 AND next_attempt_at <= now()")).isEqualTo(2_500);
    }

    @Test
    void aTopicThatKafkaWouldNotTakeIsRefused() {
        for (String topic : List.of("", "bad/topic", "a\0b", "t".repeat(250))) {
            assertThatThrownBy(() -> operations.pause(topic, ADA))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("topic: " + topic.length() + " characters");
            assertThatThrownBy(() -> operations.resume(topic, ADA)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(operations.pauses()).isEmpty();
    }
}
