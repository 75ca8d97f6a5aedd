package dev.outbox.autoconfigure;

import dev.outbox.OutboxListener;
import dev.outbox.relay.Relay;

/** Wakes the relay of this instance, if it has one, when events are committed or a topic can take records again. */
class RelayWakeUp implements OutboxListener, Runnable {

    private volatile Runnable relay = () -> {};

    void connect(Relay target) {
        relay = target::wake;
    }

    @Override
    public void run() {
        relay.run();
    }

    @Override
    public void appended(int events) {
        relay.run();
    }
}
