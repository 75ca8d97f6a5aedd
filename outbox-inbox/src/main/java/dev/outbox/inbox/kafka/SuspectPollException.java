package dev.outbox.inbox.kafka;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A poll is not tried as one transaction, because a record of it has failed before and would take the others down. */
final class SuspectPollException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    SuspectPollException(ConsumerRecord<?, ?> record) {
        super("The record at " + record.topic() + "-" + record.partition() + "@" + record.offset()
                + " has failed before");
    }
}
