package dev.outbox.autoconfigure;

import dev.outbox.OutboxListener;
import dev.outbox.kafka.TopicListener;
import dev.outbox.relay.Relay;

/** Wakes the relay of this instance, if it has one, when events are committed or a topic can take records again. */
class RelayWakeUp implements OutboxListener, TopicListener {

    private volatile Runnable relay = () -> {};

    void connect(Relay target) {
        relay = target::wake;
    }

    @Override
    public void opened(String topic) {
        relay.run();
    }

    @Override
    public void probing(String topic) {
        relay.run();
    }

    @Override
    public void appended(int events) {
        relay.run();
    }
}
