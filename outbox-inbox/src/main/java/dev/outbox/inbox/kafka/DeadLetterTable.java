package dev.outbox.inbox.kafka;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.DeadLetters;
import dev.outbox.inbox.FailedEvent;
import java.time.Duration;
import java.time.Instant;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Writes records to the dead letters in the database and, if there is a topic for copies, publishes the copy before that
 * transaction commits. After the commit a redelivered record would be a duplicate, and its copy never be tried again.
 */
final class DeadLetterTable implements DeadLetterQueue {

    private final ConsumerName consumerName;
    private final DeadLetters deadLetters;
    private final EventReader reader;
    private final @Nullable DeadLetterTopic copies;

    DeadLetterTable(
            ConsumerName consumerName, DeadLetters deadLetters, EventReader reader, @Nullable DeadLetterTopic copies) {
        this.consumerName = consumerName;
        this.deadLetters = deadLetters;
        this.reader = reader;
        this.copies = copies;
    }

    @Override
    public boolean add(FailedDelivery delivery, FailedRecords.Decision failures, Consumer<?, ?> consumer) {
        ConsumerRecord<byte[], byte[]> record = bytes(delivery.record());
        FailedEvent event = new FailedEvent(
                record, reader.findMetadata(record), failures.attempts(), since(failures), delivery.cause());
        return deadLetters.add(consumerName, event, () -> {
            if (copies != null) {
                copies.add(delivery, consumer);
            }
        });
    }

    /** The wall clock may have been set back meanwhile. */
    private static Duration since(FailedRecords.Decision failures) {
        Duration time = Duration.between(failures.firstFailedAt(), Instant.now());
        return time.isNegative() ? Duration.ZERO : time;
    }

    @SuppressWarnings("unchecked") // the deserializers are forced
    private static ConsumerRecord<byte[], byte[]> bytes(ConsumerRecord<?, ?> record) {
        return (ConsumerRecord<byte[], byte[]>) record;
    }

    @Override
    public String placeOf(ConsumerRecord<?, ?> record) {
        return "the database" + (copies == null ? "" : " and topic " + copies.nameFor(record));
    }

    @Override
    public String remedy() {
        return "Let the inbox's tables be writable"
                + (copies == null
                        ? ""
                        : ", and the dead-letter topic exist, be writable, and have a max.message.bytes larger than the"
                                + " source's");
    }
}
