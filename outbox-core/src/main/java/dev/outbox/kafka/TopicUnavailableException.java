package dev.outbox.kafka;

import org.apache.kafka.common.errors.RetriableException;

/** A record was not sent, because its topic or the broker is known to take none now. */
final class TopicUnavailableException extends RetriableException {

    private static final long serialVersionUID = 1L;

    TopicUnavailableException(String topic, String reason) {
        super("topic " + topic + " takes no records now: " + reason);
    }
}
