package dev.outbox.benchmarks;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;

/** Reads and marks by hand what the relay reads and marks: the same tables, and the same records on the topic. */
final class PendingRows {

    private static final String READ = """
            SELECT d.seq, e.event_id, e.aggregate_type, e.aggregate_id, e.topic, e.event_type, e.schema_version,
                   e.content_type, e.payload, e.created_at
            FROM outbox_delivery d JOIN outbox_event e ON e.seq = d.seq
            WHERE d.seq > ? AND d.published_at IS NULL
            ORDER BY d.seq
            LIMIT ?
            """;

    private static final String MARK = "UPDATE outbox_delivery SET published_at = now() WHERE seq = ANY (?)";

    private static final byte[] SPEC_VERSION = bytes("1.0");
    private static final byte[] SOURCE = bytes("/benchmark");

    private PendingRows() {}

    /** A row that waits to be published, as the record to publish. */
    record Pending(long seq, UUID eventId, ProducerRecord<byte[], byte[]> record) {}

    static PreparedStatement prepareRead(Connection connection) throws SQLException {
        return connection.prepareStatement(READ);
    }

    static PreparedStatement prepareMark(Connection connection) throws SQLException {
        return connection.prepareStatement(MARK);
    }

    /** Returns the next rows above a number, by number. */
    static List<Pending> read(PreparedStatement statement, long above, int limit) throws SQLException {
        statement.setLong(1, above);
        statement.setInt(2, limit);
        List<Pending> pending = new ArrayList<>(limit);
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                pending.add(pending(row));
            }
        }
        return pending;
    }

    static void mark(PreparedStatement statement, List<Pending> published) throws SQLException {
        Long[] seqs = published.stream().map(Pending::seq).toArray(Long[]::new);
        statement.setArray(1, statement.getConnection().createArrayOf("bigint", seqs));
        statement.executeUpdate();
    }

    private static Pending pending(ResultSet row) throws SQLException {
        byte[] aggregate = bytes(row.getString("aggregate_id"));
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(row.getString("topic"), aggregate, row.getBytes("payload"));
        UUID eventId = row.getObject("event_id", UUID.class);
        String type = row.getString("event_type");
        String version = row.getString("schema_version");
        Headers headers = record.headers();
        headers.add("ce_specversion", SPEC_VERSION);
        headers.add("ce_id", bytes(eventId.toString()));
        headers.add("ce_source", SOURCE);
        headers.add("ce_type", bytes(type));
        headers.add("ce_subject", aggregate);
        headers.add(
                "ce_time",
                bytes(row.getObject("created_at", OffsetDateTime.class).toString()));
        headers.add("content-type", bytes(row.getString("content_type")));
        headers.add("ce_dataschema", bytes("urn:event:" + type + ":v" + version));
        headers.add("ce_aggregatetype", bytes(row.getString("aggregate_type")));
        headers.add("ce_schemaversion", bytes(version));
        return new Pending(row.getLong("seq"), eventId, record);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
