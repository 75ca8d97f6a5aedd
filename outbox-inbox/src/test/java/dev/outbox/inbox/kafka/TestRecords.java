package dev.outbox.inbox.kafka;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** Records that no broker has seen. */
final class TestRecords {

    private TestRecords() {}

    static ConsumerRecord<byte[], byte[]> record(int partition, long offset) {
        return new ConsumerRecord<>("orders.v1", partition, offset, new byte[0], new byte[0]);
    }

    static ConsumerRecord<byte[], byte[]> record(Map<String, String> headers) {
        RecordHeaders all = new RecordHeaders();
        headers.forEach((name, value) -> all.add(name, value.getBytes(StandardCharsets.UTF_8)));
        return new ConsumerRecord<>(
                "orders.v1", 1, 2, 3, TimestampType.CREATE_TIME, 0, 0, new byte[0], new byte[0], all, Optional.empty());
    }
}
