package dev.outbox.kafka;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A breaker for each topic. A topic is closed until a probe has found it, and again when it refuses a record; when the
 * next probe has found it, one record is let in, whose acknowledgement opens it.
 *
 * <p>Only the topics used last are remembered; a forgotten one is asked for again as a new one.
 */
final class TopicGates {

    private static final Logger log = LoggerFactory.getLogger(TopicGates.class);

    private final Map<String, Topic> topics;
    private final ProbeThreads threads;
    private final Supplier<Gate> closedGate;
    private final Consumer<String> find;
    private final Consumer<Topic> onFound;
    private final Consumer<Exception> onFailure;

    /**
     * @param closedGate makes the gate of a topic
     * @param find how topics are found
     * @param onFound told when a topic lets records in: one, or all
     * @param onFailure told why a topic was not found
     * @param limit how many topics are remembered
     */
    TopicGates(
            ProbeThreads threads,
            Supplier<Gate> closedGate,
            Consumer<String> find,
            Consumer<Topic> onFound,
            Consumer<Exception> onFailure,
            int limit) {
        this.threads = threads;
        this.closedGate = closedGate;
        this.find = find;
        this.onFound = onFound;
        this.onFailure = onFailure;
        this.topics = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Topic> eldest) {
                return size() > limit;
            }
        };
    }

    /** Returns the topic; one that was never asked for is closed and being looked for. */
    Topic topic(String name) {
        synchronized (topics) {
            Topic known = topics.get(name);
            if (known != null) {
                return known;
            }
            Topic topic = new Topic(name, closedGate.get());
            topics.put(name, topic);
            ask(topic);
            return topic;
        }
    }

    List<Topic> all() {
        synchronized (topics) {
            return List.copyOf(topics.values());
        }
    }

    void acknowledged(Topic topic, long turn) {
        if (topic.gate.acknowledged(turn)) {
            topic.acknowledged();
            log.info("Topic {} takes records again", topic.name);
            onFound.accept(topic);
        }
    }

    /** A record failed for a reason that concerns the topic. */
    void failed(Topic topic, long turn, Exception cause) {
        if (topic.gate.failed(turn)) {
            topic.refused(cause);
            log.warn("Topic {} takes no records now: {}", topic.name, cause.toString());
            askLater(topic);
        }
    }

    /** An outage of the cluster is over: looks for all topics at once that had no troubles of their own. */
    void beginAnew() {
        all().stream().filter(Topic::beginAnew).forEach(this::ask);
    }

    private void ask(Topic topic) {
        int number = topic.nextProbe();
        threads.ask(() -> probe(topic, number));
    }

    private void askLater(Topic topic) {
        int number = topic.nextProbe();
        threads.askLater(() -> probe(topic, number), topic.gate.failures());
    }

    private void probe(Topic topic, int number) {
        if (!topic.isLastProbe(number)) {
            return;
        }
        boolean found;
        try {
            find.accept(topic.name);
            found = topic.found();
        } catch (RuntimeException e) {
            missing(topic, e);
            return;
        } finally {
            topic.asked.countDown();
        }
        if (found) {
            log.debug("Topic {} was found", topic.name);
            onFound.accept(topic);
        }
    }

    private void missing(Topic topic, RuntimeException cause) {
        if (threads.isClosed()) {
            return;
        }
        if (topic.gate.failures() == 0) {
            log.warn("Topic {} can't be reached, its records wait: {}", topic.name, cause.toString());
        }
        topic.missing(cause);
        topic.gate.stayClosed();
        onFailure.accept(cause);
        if (isRemembered(topic)) {
            askLater(topic);
        }
    }

    private boolean isRemembered(Topic topic) {
        synchronized (topics) {
            return topics.containsValue(topic);
        }
    }
}
