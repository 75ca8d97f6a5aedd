package dev.outbox.inbox.kafka;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Reads from a record which event it is, for records of producers that have an envelope of their own. {@link
 * EventExtractors} has those for common ones.
 *
 * <p>Extractors are asked in order until one knows the record. After those of the application, or after the one that the
 * listener names, come the built-in ones: CloudEvents in structured mode, then the header of the event id.
 *
 * <p>Thread-safe. An extractor reads the record and nothing else, and leaves it as it is: a record is read again on each
 * attempt, when it is dead-lettered, and on a redrive, and has to be the same event each time.
 */
@FunctionalInterface
public interface EventExtractor {

    /**
     * @return the event; null if the record is not of the kind that this extractor reads
     * @throws dev.outbox.inbox.PermanentEventException if the record is of that kind but cannot be used; it is
     *     dead-lettered with the message, which must not quote it. So is one with any other exception, but without the
     *     message
     */
    @Nullable
    ExtractedEvent extract(ConsumerRecord<byte[], byte[]> record);
}
