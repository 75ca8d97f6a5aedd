package dev.outbox.inbox.kafka;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.springframework.kafka.listener.MessageListenerContainer;

/** What is done about a poll that was not processed as a whole. */
@FunctionalInterface
interface FailedPoll {

    /**
     * Takes each record that failed to its retry or to the dead letters.
     *
     * @param cause what the listener threw
     * @return how far the poll has come
     */
    PollProgress resolve(
            Exception cause, ConsumerRecords<?, ?> poll, Consumer<?, ?> consumer, MessageListenerContainer container);
}
