package dev.outbox.inbox;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A consumer of this application, for those who bring it an event on another way than its topic. Thread-safe. */
public interface LocalConsumer {

    ConsumerName name();

    /** Whether the events of an aggregate wait behind a dead letter of it. */
    boolean parksAggregates();

    /**
     * Reads which event a record is.
     *
     * @throws PermanentEventException if the record can't be read
     */
    ReceivedEvent read(ConsumerRecord<byte[], byte[]> record);

    /**
     * Applies an event in the transaction of the calling thread, in which its id is recorded, unless an {@link Admission}
     * that {@linkplain Admission#decidesOnRedrive decides on redrives} decides otherwise.
     *
     * @return what became of it
     * @throws Exception what the handler threw
     */
    Verdict apply(ReceivedEvent event) throws Exception;

    /** Must be called after that transaction has committed. */
    void committed(ReceivedEvent event, Verdict verdict);

    /** Must be called in the transaction in which an event of the dead letters is discarded. */
    void discarded(ReceivedEvent event);

    /** Whether a failure says nothing about the event, because the database or its configuration is the cause. */
    boolean isTransient(Throwable failure);

    /** Whether a further attempt is useless after a failure. */
    boolean isPermanent(Throwable failure);
}
