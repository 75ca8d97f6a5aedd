package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.inbox.Admission;
import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.Inbox;
import dev.outbox.inbox.Intake;
import dev.outbox.inbox.ReceivedEvent;
import dev.outbox.inbox.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.listener.AcknowledgingConsumerAwareMessageListener;
import org.springframework.kafka.support.Acknowledgment;

class EventProcessorTest {

    private static final UUID EVENT = UUID.randomUUID();

    private final List<String> calls = new ArrayList<>();
    private Verdict admitted = Verdict.APPLIED;
    private final EventProcessor processor = new EventProcessor(
            new ConsumerName("billing"),
            new RecordingInbox(),
            new EventReader("ce_id"),
            List.of(new RecordingAdmission()),
            new RecordingHandler());

    @Test
    void theHandlerRunsInsideTheInbox() {
        deliver(TestRecords.record(Map.of("ce_id", EVENT.toString())));

        assertThat(calls)
                .containsExactly("begin billing [" + EVENT + "]", "admit", "handle", "end", "committed APPLIED");
    }

    @Test
    void anEventThatIsNotAdmittedNeverReachesTheHandler() {
        admitted = Verdict.STALE;

        deliver(TestRecords.record(Map.of("ce_id", EVENT.toString())));

        assertThat(calls).containsExactly("begin billing [" + EVENT + "]", "admit", "end", "committed STALE");
    }

    @Test
    void aRecordWithoutIdOrValueNeverReachesTheInbox() {
        ConsumerRecord<byte[], byte[]> withoutValue = new ConsumerRecord<>("orders.v1", 0, 0, null, null);
        withoutValue.headers().add("ce_id", EVENT.toString().getBytes(StandardCharsets.UTF_8));

        assertThatExceptionOfType(UnusableRecordException.class)
                .isThrownBy(() -> deliver(withoutValue))
                .withMessageContaining("null");
        assertThatExceptionOfType(UnusableRecordException.class)
                .isThrownBy(() -> deliver(TestRecords.record(Map.of())));
        assertThat(calls).isEmpty();
    }

    private void deliver(ConsumerRecord<byte[], byte[]> record) {
        processor.process(record, null);
    }

    private final class RecordingInbox implements Inbox {

        @Override
        public <E extends Exception> Map<UUID, Verdict> process(
                ConsumerName consumer, List<UUID> eventIds, Intake<E> intake) throws E {
            calls.add("begin " + consumer + " " + eventIds);
            Map<UUID, Verdict> verdicts = intake.take(Set.copyOf(eventIds));
            calls.add("end");
            return verdicts;
        }

        @Override
        public void checkTransactionManager() {}
    }

    private final class RecordingAdmission implements Admission {

        @Override
        public Verdict admit(ConsumerName consumer, ReceivedEvent event) {
            calls.add("admit");
            return admitted;
        }

        @Override
        public void committed(ConsumerName consumer, ReceivedEvent event, Verdict verdict) {
            calls.add("committed " + verdict);
        }
    }

    private final class RecordingHandler implements AcknowledgingConsumerAwareMessageListener<byte[], byte[]> {

        @Override
        public void onMessage(
                ConsumerRecord<byte[], byte[]> record,
                @Nullable Acknowledgment acknowledgment,
                @Nullable Consumer<?, ?> consumer) {
            calls.add("handle");
        }
    }
}
