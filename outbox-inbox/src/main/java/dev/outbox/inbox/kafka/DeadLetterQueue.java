package dev.outbox.inbox.kafka;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Where records go that cannot be processed. */
interface DeadLetterQueue {

    /**
     * Takes a record, which is durable there when this returns.
     *
     * @param failures what is known of its failures
     * @return false if its event was processed or dead-lettered before, so that it is settled without
     * @throws RuntimeException if it may not be durable; it is offered again later
     */
    boolean add(FailedDelivery delivery, FailedRecords.Decision failures, Consumer<?, ?> consumer);

    /** Where it puts a record, for messages. */
    String placeOf(ConsumerRecord<?, ?> record);

    /** What an operator has to see to so that it takes records again, for messages. */
    String remedy();
}
