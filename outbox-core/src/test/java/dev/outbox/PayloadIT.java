package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.testkit.KafkaBroker;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class PayloadIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    @Test
    void whatIsPublishedIsByteForByteWhatWasAppended() throws Exception {
        List<byte[]> payloads = List.of(
                utf8("{\"x\":\"a\\u0000b\"}"),
                utf8("{\"lone\":\"\\ud800\"}"),
                utf8("{ \"a\" : 1.10 , \"b\":1E2,\n\"c\":-0.0, \"a\":2}\r\n"),
                utf8("{\"z\":1,\"a\":12345678901234567890123.000}"),
                utf8("\u0000"),
                new byte[] {(byte) 0xc3, (byte) 0x28, (byte) 0xed, (byte) 0xa0, (byte) 0x80},
                everyByte(),
                avro(),
                new byte[0],
                "ISO-8859-1: äöü".getBytes(StandardCharsets.ISO_8859_1));
        KafkaBroker kafka = KafkaBroker.shared();
        String topic = kafka.createTopic("odd", 1);
        try (TestOutbox outbox = new TestOutbox()) {
            Map<String, byte[]> appended = new HashMap<>();
            for (byte[] payload : payloads) {
                var id = outbox.append(TestOutbox.event(topic, "a" + appended.size())
                        .payload(payload, "application/octet-stream")
                        .build());
                appended.put(id.toString(), payload);
            }
            outbox.startRelay(TestOutbox.settings(64, 100));

            List<ConsumerRecord<byte[], byte[]>> records = kafka.awaitRecords(topic, payloads.size(), LIMIT);
            assertThat(records)
                    .hasSameSizeAs(payloads)
                    .allSatisfy(
                            record -> assertThat(record.value()).isEqualTo(appended.get(TestOutbox.eventId(record))));
            await().until(() -> outbox.count("published_at IS NULL") == 0);
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] everyByte() {
        byte[] bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }

    /** As a schema registry's serializer writes it: a zero byte, the schema's id, the record. */
    private static byte[] avro() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(new byte[] {0, 0, 0, 0, 42, 8});
        bytes.writeBytes(utf8("4711"));
        bytes.writeBytes(new byte[] {(byte) 0xc8, 1, (byte) 0xff});
        return bytes.toByteArray();
    }
}
