package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.inbox.PermanentEventException;
import dev.outbox.inbox.ReceivedEvent;
import dev.outbox.inbox.RecordPosition;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class EventReaderTest {

    private static final UUID ID = UUID.randomUUID();
    private static final ExtractedEvent EVENT = new ExtractedEvent(ID, Map.of("type", "x"), new byte[] {1});

    @Test
    void theExtractorsPayloadIsTheEventsAndTheRecordStaysTheOriginal() {
        ConsumerRecord<byte[], byte[]> record = TestRecords.record(Map.of());

        ReceivedEvent event = reader(false, any -> null, any -> EVENT).read(record);

        assertThat(event.metadata().eventId()).isEqualTo(ID);
        assertThat(event.metadata().type()).isEqualTo("x");
        assertThat(event.metadata().position()).isEqualTo(new RecordPosition("orders.v1", 1, 2));
        assertThat(event.payload()).containsExactly(1);
        assertThat(event.record()).isSameAs(record);
    }

    @Test
    void aRecordThatNobodyKnowsOrWhoseIdIsUnusableIsPermanentAndHasNoId() {
        ConsumerRecord<byte[], byte[]> record = TestRecords.record(Map.of());

        assertThatExceptionOfType(UnusableRecordException.class)
                .isThrownBy(() -> reader(false, any -> null).read(record))
                .withMessageContaining("no header ce_id")
                .withMessageContaining("none of the 1 extractors");
        assertThat(reader(false, any -> null).findId(record)).isNull();
        ConsumerRecord<byte[], byte[]> malformed = TestRecords.record(Map.of("ce_id", "42"));
        assertThat(new EventReader("ce_id").findId(malformed)).isNull();
        assertThatExceptionOfType(PermanentEventException.class)
                .isThrownBy(() -> new EventReader("ce_id").read(malformed));
    }

    @Test
    void whatAnExtractorThrowsIsPermanentAndNotQuotedUnlessItMeansTo() {
        ConsumerRecord<byte[], byte[]> record = TestRecords.record(Map.of());
        PermanentEventException meant = new PermanentEventException("no such schema");

        assertThatExceptionOfType(PermanentEventException.class)
                .isThrownBy(() -> reader(false, any -> {
                            throw new IllegalStateException("secret");
                        })
                        .read(record))
                .withMessageContaining("IllegalStateException")
                .withMessageNotContaining("secret")
                .withNoCause();
        assertThatExceptionOfType(PermanentEventException.class)
                .isThrownBy(() -> reader(false, any -> {
                            throw meant;
                        })
                        .read(record))
                .isSameAs(meant);
    }

    @Test
    void aTombstoneIsOnlyForHandlersThatTakeIt() {
        ConsumerRecord<byte[], byte[]> record = TestRecords.record(Map.of());
        ExtractedEvent tombstone = new ExtractedEvent(ID, Map.of(), null);

        assertThat(reader(true, any -> tombstone).read(record).payload()).isNull();
        assertThatExceptionOfType(UnusableRecordException.class)
                .isThrownBy(() -> reader(false, any -> tombstone).read(record))
                .withMessageContaining("@Payload(required = false)");
        assertThat(reader(false, any -> tombstone).findId(record)).isEqualTo(ID);
    }

    private static EventReader reader(boolean tombstones, EventExtractor... extractors) {
        return new EventReader(List.of(extractors), tombstones, "ce_id");
    }
}
