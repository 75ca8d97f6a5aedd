package dev.outbox.inbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.testkit.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

class StoredRecordsIT {

    private final JdbcClient jdbc =
            JdbcClient.create(PostgresServer.shared().createDatabase().dataSource());

    @Test
    void anyBytesOfARecordComeBackAsTheyWere() {
        jdbc.sql("CREATE TABLE stored (topic text, partition integer, record_offset bigint, record_timestamp bigint,"
                        + " record_key bytea, record_value bytea, header_names bytea[], header_values bytea[])")
                .update();
        RecordHeaders headers = new RecordHeaders();
        headers.add("twice", new byte[] {0, (byte) 0xC3, 0x28});
        headers.add("nothing", null);
        headers.add("", new byte[0]);
        headers.add("twice", "a\u0000b".getBytes(StandardCharsets.UTF_8));
        headers.add("\u0000ä", new byte[] {1});
        ConsumerRecord<byte[], byte[]> full = record(17, new byte[] {0, -1}, new byte[1_048_000], headers);
        ConsumerRecord<byte[], byte[]> empty = record(ConsumerRecord.NO_TIMESTAMP, null, null, new RecordHeaders());

        ConsumerRecord<byte[], byte[]> fullAgain = throughTheTable(full);
        ConsumerRecord<byte[], byte[]> emptyAgain = throughTheTable(empty);

        // Byte by byte it would take long.
        assertThat(fullAgain).usingRecursiveComparison().ignoringFields("value").isEqualTo(full);
        assertThat(fullAgain.value()).isEqualTo(full.value());
        assertThat(fullAgain.headers().toArray()).isEqualTo(headers.toArray());
        assertThat(emptyAgain).usingRecursiveComparison().isEqualTo(empty);
    }

    private ConsumerRecord<byte[], byte[]> throughTheTable(ConsumerRecord<byte[], byte[]> record) {
        jdbc.sql("DELETE FROM stored").update();
        StoredRecords.bind(
                        jdbc.sql("INSERT INTO stored (" + StoredRecords.COLUMNS + ") VALUES ("
                                + StoredRecords.PARAMETERS + ")"),
                        record)
                .update();
        return jdbc.sql("SELECT * FROM stored")
                .query((row, number) -> StoredRecords.read(row))
                .single();
    }

    private static ConsumerRecord<byte[], byte[]> record(
            long timestamp, byte @Nullable [] key, byte @Nullable [] value, RecordHeaders headers) {
        return new ConsumerRecord<>(
                "orders.v1",
                3,
                42,
                timestamp,
                timestamp == ConsumerRecord.NO_TIMESTAMP ? TimestampType.NO_TIMESTAMP_TYPE : TimestampType.CREATE_TIME,
                key == null ? -1 : key.length,
                value == null ? -1 : value.length,
                key,
                value,
                headers,
                Optional.empty());
    }
}
