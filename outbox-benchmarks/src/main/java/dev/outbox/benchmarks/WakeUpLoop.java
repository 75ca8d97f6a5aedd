package dev.outbox.benchmarks;

import dev.outbox.benchmarks.PendingRows.Pending;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;

/**
 * The limit of the latency: a thread that is woken by commits, reads what is new, sends it, and marks it when all of it
 * is acknowledged. It rests on there being one writer, whose numbers come in the order of its commits.
 */
final class WakeUpLoop implements AutoCloseable {

    private static final int BATCH = 1_000;

    private final Connection connection;
    private final PreparedStatement read;
    private final PreparedStatement mark;
    private final Producer<byte[], byte[]> producer;
    private final Consumer<UUID> acknowledged;
    private final Semaphore wakeUps = new Semaphore(0);
    private final Thread thread = new Thread(this::run, "wake-up-loop");
    private volatile boolean stopped;

    /**
     * @param acknowledged told the id of every event
     */
    WakeUpLoop(Servers servers, OutboxDatabase database, Consumer<UUID> acknowledged) throws SQLException {
        this.acknowledged = acknowledged;
        connection = database.dataSource().getConnection();
        read = PendingRows.prepareRead(connection);
        mark = PendingRows.prepareMark(connection);
        producer = new KafkaProducer<>(Pipeline.producerSettings(servers));
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    void wake() {
        wakeUps.release();
    }

    private void run() {
        long last = 0;
        try {
            while (!stopped) {
                wakeUps.acquire();
                wakeUps.drainPermits();
                List<Pending> rows;
                do {
                    rows = PendingRows.read(read, last, BATCH);
                    if (!rows.isEmpty()) {
                        publish(rows);
                        last = rows.get(rows.size() - 1).seq();
                    }
                } while (rows.size() == BATCH);
            }
        } catch (SQLException | ExecutionException e) {
            throw new IllegalStateException("The hand-written loop failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void publish(List<Pending> rows) throws SQLException, ExecutionException, InterruptedException {
        List<Future<?>> sent = new ArrayList<>(rows.size());
        for (Pending row : rows) {
            sent.add(producer.send(row.record(), (metadata, failure) -> {
                if (failure == null) {
                    acknowledged.accept(row.eventId());
                }
            }));
        }
        for (Future<?> acknowledgement : sent) {
            acknowledgement.get();
        }
        PendingRows.mark(mark, rows);
    }

    @Override
    public void close() throws Exception {
        stopped = true;
        wake();
        thread.join();
        producer.close();
        connection.close();
    }
}
