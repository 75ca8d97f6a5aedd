package dev.outbox.benchmarks;

import dev.outbox.benchmarks.PendingRows.Pending;
import dev.outbox.kafka.ProducerSettings;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jspecify.annotations.Nullable;

/**
 * The limit of a drain: one thread reads ahead by number and sends, one thread marks what is acknowledged, several batches
 * are under way. No order, no claims, no retries, nobody beside it.
 */
final class Pipeline implements AutoCloseable {

    private static final int BATCH = 1_000;
    private static final int IN_FLIGHT = 8;

    /** Acknowledged batches that are marked by one statement. */
    private static final int MARKED_TOGETHER = 2;

    private final Connection reading;
    private final Connection marking;
    private final PreparedStatement read;
    private final PreparedStatement mark;
    private final Producer<byte[], byte[]> producer;

    Pipeline(Servers servers, OutboxDatabase database) throws SQLException {
        reading = database.dataSource().getConnection();
        marking = database.dataSource().getConnection();
        read = PendingRows.prepareRead(reading);
        mark = PendingRows.prepareMark(marking);
        producer = new KafkaProducer<>(producerSettings(servers));
    }

    /** The settings of the relay's own producer. */
    static Map<String, Object> producerSettings(Servers servers) {
        return ProducerSettings.enforce(Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, servers.bootstrapServers()));
    }

    /** Publishes this many waiting records, and returns once the last one is marked. */
    void drain(int records) throws Exception {
        Progress progress = new Progress(records);
        BlockingQueue<Batch> acknowledged = new LinkedBlockingQueue<>();
        Semaphore room = new Semaphore(IN_FLIGHT);
        Thread marker = new Thread(() -> markAll(acknowledged, room, progress), "pipeline-marks");
        marker.setDaemon(true);
        marker.start();
        long last = 0;
        for (int sent = 0; sent < records && !progress.isOver(); ) {
            room.acquire();
            Batch batch = new Batch(PendingRows.read(read, last, BATCH), acknowledged, progress);
            last = batch.send(producer);
            sent += batch.rows.size();
        }
        progress.await();
        marker.join();
    }

    private void markAll(BlockingQueue<Batch> acknowledged, Semaphore room, Progress progress) {
        try {
            while (!progress.isOver()) {
                List<Batch> batches = new ArrayList<>(List.of(acknowledged.take()));
                acknowledged.drainTo(batches, MARKED_TOGETHER - 1);
                List<Pending> rows =
                        batches.stream().flatMap(batch -> batch.rows.stream()).toList();
                PendingRows.mark(mark, rows);
                room.release(batches.size());
                progress.published(rows.size());
            }
        } catch (SQLException e) {
            progress.failed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws SQLException {
        producer.close();
        reading.close();
        marking.close();
    }

    /** Rows that were read together, and are marked together when the last of them is acknowledged. */
    private static final class Batch {

        private final List<Pending> rows;
        private final BlockingQueue<Batch> acknowledged;
        private final Progress progress;
        private final AtomicInteger left;

        private Batch(List<Pending> rows, BlockingQueue<Batch> acknowledged, Progress progress) {
            this.rows = rows;
            this.acknowledged = acknowledged;
            this.progress = progress;
            this.left = new AtomicInteger(rows.size());
        }

        /** Returns the last number. */
        @SuppressWarnings("FutureReturnValueIgnored") // the callback gets the same result
        private long send(Producer<byte[], byte[]> producer) {
            rows.forEach(row -> producer.send(row.record(), (metadata, failure) -> completed(failure)));
            return rows.get(rows.size() - 1).seq();
        }

        private void completed(@Nullable Exception failure) {
            if (failure != null) {
                progress.failed(failure);
            } else if (left.decrementAndGet() == 0) {
                acknowledged.add(this);
            }
        }
    }
}
