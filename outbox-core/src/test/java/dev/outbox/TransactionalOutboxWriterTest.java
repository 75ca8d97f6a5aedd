package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

class TransactionalOutboxWriterTest {

    private final List<String> calls = new ArrayList<>();
    private final List<OutboxRecord> stored = new ArrayList<>();
    private final PayloadSerializer text = new PayloadSerializer() {
        @Override
        public boolean supports(Class<?> payloadType) {
            return payloadType == String.class;
        }

        @Override
        public Payload serialize(Object payload) {
            calls.add("serialize " + payload);
            if (payload.equals("bad")) {
                throw new IllegalStateException("can't be serialised");
            }
            return Payload.of("text/plain", payload.toString().getBytes(StandardCharsets.UTF_8));
        }
    };
    private final OutboxWriter writer = OutboxWriter.create(
            records -> {
                calls.add("store " + records.size());
                stored.addAll(records);
            },
            List.of(text),
            List.of(() -> Map.of("a", "contributed", "b", "contributed")),
            List.of(() -> calls.add("flush")),
            new AppendLimits(100),
            new OutboxListener() {
                @Override
                public void appended(int events) {
                    calls.add("appended " + events);
                }
            });

    @BeforeEach
    void begin() {
        TransactionSynchronizationManager.initSynchronization();
    }

    @AfterEach
    void end() {
        TransactionSynchronizationManager.clear();
    }

    @Test
    void serialisesEverythingThenFlushesThenStoresAllAtOnce() {
        List<UUID> ids = writer.appendAll(List.of(event("1").build(), event("2").build()));

        assertThat(calls).containsExactly("serialize 1", "serialize 2", "flush", "store 2");
        assertThat(stored).extracting(OutboxRecord::eventId).isEqualTo(ids);
        assertThat(stored.get(1).payload().contentType()).isEqualTo("text/plain");
        assertThat(stored.get(1).payload().bytes()).isEqualTo(new byte[] {'2'});
    }

    @Test
    void aFailureToSerialiseReachesTheCallerAndNothingIsStored() {
        assertThatIllegalStateException()
                .isThrownBy(() -> writer.appendAll(
                        List.of(event("1").build(), event("bad").build())))
                .withMessage("can't be serialised");
        assertThat(calls).containsExactly("serialize 1", "serialize bad");
    }

    @Test
    void anEventBeyondALimitIsRefusedBeforeAnythingIsStored() {
        assertThatExceptionOfType(InvalidEventException.class)
                .isThrownBy(() -> writer.appendAll(
                        List.of(event("1").build(), event("x".repeat(101)).build())))
                .withMessageStartingWith("payload: 101 bytes, at most 100");
        assertThat(calls).doesNotContain("flush", "store 1", "store 2");
    }

    @Test
    void refusesAPayloadThatNoSerializerTakes() {
        assertThatExceptionOfType(InvalidEventException.class)
                .isThrownBy(() -> writer.append(event("1").payload(42).build()))
                .withMessageStartingWith("payload: no PayloadSerializer supports java.lang.Integer");
        assertThat(calls).isEmpty();
    }

    @Test
    void bytesGoAroundTheSerializers() {
        byte[] bytes = {(byte) 0xff, 0};
        writer.append(event("1").payload(bytes, "application/avro").build());

        assertThat(calls).containsExactly("flush", "store 1");
        assertThat(stored.get(0).payload().bytes()).isSameAs(bytes);
    }

    @Test
    void aHeaderOfTheEventWinsOverAContributedOne() {
        writer.append(event("1").header("b", "own").header("c", "own").build());

        assertThat(stored.get(0).headers())
                .containsOnly(Map.entry("a", "contributed"), Map.entry("b", "own"), Map.entry("c", "own"));
    }

    @Test
    void keepsAGivenIdAndMakesTimeOrderedOnesOtherwise() {
        UUID given = UUID.randomUUID();
        assertThat(writer.append(event("1").id(given).build())).isEqualTo(given);

        List<UUID> made = writer.appendAll(
                List.of(event("1").build(), event("2").build(), event("3").build()));
        assertThat(made).allMatch(id -> id.version() == 7).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void refusesOneIdTwiceInACall() {
        UUID id = UUID.randomUUID();
        assertThatExceptionOfType(InvalidEventException.class)
                .isThrownBy(() -> writer.appendAll(
                        List.of(event("1").id(id).build(), event("2").id(id).build())))
                .withMessage("id: " + id + " stands twice in one call");
        assertThat(stored).isEmpty();
    }

    @Test
    void nothingToAppendTouchesNothing() {
        assertThat(writer.appendAll(List.of())).isEmpty();
        assertThat(calls).isEmpty();
    }

    @Test
    void tellsTheListenerAfterTheCommitAndNotBefore() {
        writer.appendAll(List.of(event("1").build(), event("2").build()));
        List<TransactionSynchronization> synchronizations = TransactionSynchronizationManager.getSynchronizations();
        synchronizations.forEach(synchronization -> synchronization.beforeCommit(false));
        assertThat(calls).doesNotContain("appended 2");

        synchronizations.forEach(TransactionSynchronization::afterCommit);
        assertThat(calls).endsWith("appended 2");
    }

    @Test
    void tellsTheListenerNothingOfARollback() {
        writer.append(event("1").build());
        TransactionSynchronizationManager.getSynchronizations()
                .forEach(synchronization ->
                        synchronization.afterCompletion(TransactionSynchronization.STATUS_ROLLED_BACK));
        assertThat(calls).containsExactly("serialize 1", "flush", "store 1");
    }

    private static Event.Builder event(String payload) {
        return Event.builder()
                .aggregate("order", "1")
                .topic("orders")
                .type("order.confirmed")
                .payload(payload);
    }
}
