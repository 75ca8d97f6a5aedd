package dev.outbox.inbox;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The consumers of this application. Thread-safe. */
public final class LocalConsumers {

    private final Map<ConsumerName, LocalConsumer> consumers = new ConcurrentHashMap<>();

    /** Adds a consumer, or replaces the one of its name. */
    public void add(LocalConsumer consumer) {
        consumers.put(consumer.name(), consumer);
    }

    /** Whether there is a consumer of this name. */
    public boolean contains(ConsumerName name) {
        return consumers.containsKey(name);
    }

    /**
     * @throws IllegalArgumentException if there is none; the message names those that there are
     */
    public LocalConsumer get(ConsumerName name) {
        LocalConsumer consumer = consumers.get(name);
        if (consumer == null) {
            throw new IllegalArgumentException("Consumer '" + name + "' is not in this application, which has "
                    + names().stream().map(known -> "'" + known + "'").sorted().collect(Collectors.toList())
                    + ". Decide where it is, or let the filter name a consumer that is here");
        }
        return consumer;
    }

    public Set<ConsumerName> names() {
        return Set.copyOf(consumers.keySet());
    }
}
