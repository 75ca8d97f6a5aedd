package dev.outbox.inbox.jdbc;

import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/** Kafka records in the columns of a table: whatever bytes they have, and read back as they were. */
final class StoredRecords {

    /** The columns, in the order of {@link #PARAMETERS}. */
    static final String COLUMNS =
            "topic, partition, record_offset, record_timestamp, record_key, record_value, header_names, header_values";

    /** The parameters that {@link #bind} sets. */
    static final String PARAMETERS = ":topic, :partition, :record_offset, :record_timestamp, :record_key::bytea,"
            + " :record_value::bytea, :header_names::bytea[], :header_values::bytea[]";

    private StoredRecords() {}

    /** Sets {@link #PARAMETERS}. */
    static StatementSpec bind(StatementSpec statement, ConsumerRecord<byte[], byte[]> record) {
        List<byte[]> names = new ArrayList<>();
        List<byte[]> values = new ArrayList<>();
        for (Header header : record.headers()) {
            names.add(header.key().getBytes(StandardCharsets.UTF_8));
            values.add(header.value());
        }
        return statement
                .param("topic", record.topic())
                .param("partition", record.partition())
                .param("record_offset", record.offset())
                .param("record_timestamp", record.timestamp())
                .param("record_key", record.key())
                .param("record_value", record.value())
                .param("header_names", names.toArray(byte[][]::new))
                .param("header_values", values.toArray(byte[][]::new));
    }

    /** Reads a record from a row that has {@link #COLUMNS}. */
    static ConsumerRecord<byte[], byte[]> read(ResultSet row) throws SQLException {
        byte[][] names = elements(row.getArray("header_names"));
        byte[][] values = elements(row.getArray("header_values"));
        RecordHeaders headers = new RecordHeaders();
        for (int at = 0; at < names.length; at++) {
            headers.add(new RecordHeader(new String(names[at], StandardCharsets.UTF_8), values[at]));
        }
        long timestamp = row.getLong("record_timestamp");
        byte[] key = row.getBytes("record_key");
        byte[] value = row.getBytes("record_value");
        return new ConsumerRecord<>(
                row.getString("topic"),
                row.getInt("partition"),
                row.getLong("record_offset"),
                timestamp,
                timestamp == ConsumerRecord.NO_TIMESTAMP ? TimestampType.NO_TIMESTAMP_TYPE : TimestampType.CREATE_TIME,
                key == null ? ConsumerRecord.NULL_SIZE : key.length,
                value == null ? ConsumerRecord.NULL_SIZE : value.length,
                key,
                value,
                headers,
                Optional.empty());
    }

    private static byte[][] elements(Array array) throws SQLException {
        return (byte[][]) array.getArray();
    }
}
