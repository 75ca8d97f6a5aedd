package dev.outbox.inbox.kafka;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer.SingleRecordHeader;
import org.springframework.kafka.support.KafkaHeaders;

/**
 * What a dead letter says about itself, under spring-kafka's names and in its encoding. Each header replaces one of an
 * earlier dead-lettering. Neither a stack trace nor an unbounded message: the copy must fit.
 */
final class DeadLetterHeaders {

    private DeadLetterHeaders() {}

    static Headers of(ConsumerRecord<?, ?> record, Exception cause, String group) {
        Headers headers = new RecordHeaders();
        add(headers, KafkaHeaders.DLT_ORIGINAL_TOPIC, record.topic());
        add(
                headers,
                KafkaHeaders.DLT_ORIGINAL_PARTITION,
                ByteBuffer.allocate(Integer.BYTES).putInt(record.partition()).array());
        add(
                headers,
                KafkaHeaders.DLT_ORIGINAL_OFFSET,
                ByteBuffer.allocate(Long.BYTES).putLong(record.offset()).array());
        add(
                headers,
                KafkaHeaders.DLT_ORIGINAL_TIMESTAMP,
                ByteBuffer.allocate(Long.BYTES).putLong(record.timestamp()).array());
        add(
                headers,
                KafkaHeaders.DLT_ORIGINAL_TIMESTAMP_TYPE,
                record.timestampType().toString());
        add(headers, KafkaHeaders.DLT_ORIGINAL_CONSUMER_GROUP, group);
        add(
                headers,
                KafkaHeaders.DLT_EXCEPTION_FQCN,
                FailureCause.trim(cause.getClass().getName()));
        add(headers, KafkaHeaders.DLT_EXCEPTION_MESSAGE, FailureCause.describe(cause));
        return headers;
    }

    private static void add(Headers headers, String name, String value) {
        add(headers, name, value.getBytes(StandardCharsets.UTF_8));
    }

    private static void add(Headers headers, String name, byte[] value) {
        headers.add(new SingleRecordHeader(name, value));
    }
}
