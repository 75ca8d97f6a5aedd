package dev.outbox.autoconfigure;

import dev.outbox.OutboxListener;
import dev.outbox.kafka.TopicListener;
import dev.outbox.relay.Relay;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tells the relay of this instance, if it has one, when events are committed or a topic can take records again. */
class RelayWakeUp implements OutboxListener, TopicListener {

    private volatile @Nullable Relay relay;

    void connect(Relay target) {
        relay = target;
    }

    @Override
    public void opened(String topic) {
        connected().ifPresent(target -> target.opened(topic));
    }

    @Override
    public void probing(String topic) {
        connected().ifPresent(target -> target.probing(topic));
    }

    @Override
    public void appended(int events) {
        connected().ifPresent(Relay::wake);
    }

    private Optional<Relay> connected() {
        return Optional.ofNullable(relay);
    }
}
