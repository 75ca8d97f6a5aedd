package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.Effect;
import dev.outbox.inbox.Inbox;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.listener.AcknowledgingConsumerAwareMessageListener;
import org.springframework.kafka.support.Acknowledgment;

class IdempotentRecordListenerTest {

    private static final UUID EVENT = UUID.randomUUID();

    private final List<String> calls = new ArrayList<>();
    private final IdempotentRecordListener listener = new IdempotentRecordListener(
            new ConsumerName("billing"), new RecordingInbox(), new EventIds("ce_id"), new RecordingHandler());

    @Test
    void theHandlerRunsInsideTheInbox() {
        deliver(TestRecords.record(Map.of("ce_id", EVENT.toString())));

        assertThat(calls).containsExactly("begin billing " + EVENT, "handle", "end");
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
        Consumer<?, ?> none = null;
        listener.onMessage(record, none);
    }

    private final class RecordingInbox implements Inbox {

        @Override
        public <E extends Exception> boolean processOnce(String consumer, UUID eventId, Effect<E> effect) throws E {
            calls.add("begin " + consumer + " " + eventId);
            effect.apply();
            calls.add("end");
            return true;
        }

        @Override
        public void checkTransactionManager() {}
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
