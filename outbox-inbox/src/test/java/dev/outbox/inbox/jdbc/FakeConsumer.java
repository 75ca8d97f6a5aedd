package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.LocalConsumer;
import dev.outbox.inbox.PermanentEventException;
import dev.outbox.inbox.ReceivedEvent;
import dev.outbox.inbox.RecordPosition;
import dev.outbox.inbox.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A consumer whose records have their envelope in headers, and whose effect is a row. */
final class FakeConsumer implements LocalConsumer {

    private final ConsumerName name;
    private final boolean parks;
    private final JdbcClient jdbc;
    private final List<UUID> applied = new CopyOnWriteArrayList<>();
    private volatile Handler handler = event -> {};
    private volatile boolean reading = true;

    FakeConsumer(String name, boolean parks, DataSource dataSource) {
        this.name = new ConsumerName(name);
        this.parks = parks;
        this.jdbc = JdbcClient.create(dataSource);
    }

    /** Sets what happens after the effect. */
    void handle(Handler handler) {
        this.handler = handler;
    }

    /** Sets whether it can read records at all. */
    void read(boolean reading) {
        this.reading = reading;
    }

    /** The events that it was given, in order, failures included. */
    List<UUID> applied() {
        return applied;
    }

    @Override
    public ConsumerName name() {
        return name;
    }

    @Override
    public boolean parksAggregates() {
        return parks;
    }

    @Override
    public ReceivedEvent read(ConsumerRecord<byte[], byte[]> record) {
        if (!reading) {
            throw new PermanentEventException("no id");
        }
        return event(record);
    }

    static ReceivedEvent event(ConsumerRecord<byte[], byte[]> record) {
        Map<String, String> attributes = new HashMap<>();
        for (Header header : record.headers()) {
            attributes.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
        }
        UUID id = UUID.fromString(String.valueOf(attributes.get("id")));
        return new ReceivedEvent(
                new EventMetadata(
                        id, attributes, new RecordPosition(record.topic(), record.partition(), record.offset())),
                record);
    }

    @Override
    public Verdict apply(ReceivedEvent event) throws Exception {
        UUID id = event.metadata().eventId();
        applied.add(id);
        jdbc.sql("INSERT INTO effect (consumer, event_id) VALUES (?, ?)")
                .params(name.value(), id)
                .update();
        handler.accept(event);
        return Verdict.APPLIED;
    }

    @Override
    public void committed(ReceivedEvent event, Verdict verdict) {}

    @Override
    public void discarded(ReceivedEvent event) {}

    @Override
    public boolean isTransient(Throwable failure) {
        return false;
    }

    @Override
    public boolean isPermanent(Throwable failure) {
        return false;
    }

    interface Handler {

        void accept(ReceivedEvent event) throws Exception;
    }
}
