package dev.outbox.benchmarks;

import dev.outbox.benchmarks.PendingRows.Pending;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;

/** The loop that everybody writes first: fetch a batch, send it, mark it, commit, and so on. */
final class NaiveLoop implements AutoCloseable {

    private static final int BATCH = 500;

    private final Connection connection;
    private final PreparedStatement read;
    private final PreparedStatement mark;
    private final Producer<byte[], byte[]> producer;

    NaiveLoop(Servers servers, OutboxDatabase database) throws SQLException {
        connection = database.dataSource().getConnection();
        connection.setAutoCommit(false);
        read = PendingRows.prepareRead(connection);
        mark = PendingRows.prepareMark(connection);
        producer = new KafkaProducer<>(Pipeline.producerSettings(servers));
    }

    /** Keeps the order of an aggregate, as one at a time is under way. */
    void drainOneByOne(int records) throws Exception {
        drain(records, rows -> {
            for (Pending row : rows) {
                producer.send(row.record()).get();
            }
        });
    }

    /** Keeps it unless something fails. */
    void drainInBatches(int records) throws Exception {
        drain(records, rows -> {
            List<Future<?>> sent = new ArrayList<>(rows.size());
            for (Pending row : rows) {
                sent.add(producer.send(row.record()));
            }
            for (Future<?> acknowledgement : sent) {
                acknowledgement.get();
            }
        });
    }

    private void drain(int records, Sending sending) throws Exception {
        long last = 0;
        for (int left = records; left > 0; ) {
            List<Pending> rows = PendingRows.read(read, last, BATCH);
            sending.send(rows);
            PendingRows.mark(mark, rows);
            connection.commit();
            last = rows.get(rows.size() - 1).seq();
            left -= rows.size();
        }
    }

    @Override
    public void close() throws SQLException {
        producer.close();
        connection.close();
    }

    /** Sends a batch and returns when all of it is acknowledged. */
    @FunctionalInterface
    private interface Sending {

        void send(List<Pending> rows) throws Exception;
    }
}
