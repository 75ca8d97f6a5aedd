package dev.outbox.chaos.inbox;

import dev.outbox.chaos.Servers;
import dev.outbox.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A topic with a load on it, the database of its consumers, and the check of what they do. */
final class Traffic implements AutoCloseable {

    private static final int PARTITIONS = 4;

    private final List<String> consumers;
    private final TestDatabase database;
    private final String topic;
    private final SentRecords sent = new SentRecords(PARTITIONS);
    private final Effects effects;
    private final DeadLetters deadLetters;
    private final GroupOffsets offsets;
    private final OffsetSampler sampler;
    private final Load load;

    /**
     * @param consumers names, which are those of their groups too
     * @param seed of the load
     * @param pause between two records
     */
    Traffic(Servers servers, List<String> consumers, long seed, Duration pause) {
        this.consumers = consumers;
        database = servers.postgres().createDatabase();
        JdbcClient jdbc = JdbcClient.create(database.dataSource());
        effects = new Effects(jdbc);
        effects.create();
        topic = servers.kafka().createTopic("inbox", PARTITIONS);
        deadLetters = new DeadLetters(jdbc, topic);
        String brokers = servers.kafka().bootstrapServers();
        offsets = new GroupOffsets(brokers, topic, PARTITIONS);
        sampler = new OffsetSampler(consumers, sent, offsets, effects, deadLetters);
        load = new Load(brokers, topic, sent, seed, pause);
    }

    TestDatabase database() {
        return database;
    }

    String topic() {
        return topic;
    }

    List<String> consumers() {
        return consumers;
    }

    Load load() {
        return load;
    }

    Effects effects() {
        return effects;
    }

    OffsetSampler sampler() {
        return sampler;
    }

    /** How many records were sent. */
    long sent() {
        return sent.all().size();
    }

    /** Begins to send, and to look. */
    void start() {
        load.start();
        sampler.start();
    }

    /** Whether every group has committed everything that was sent, as far as the brokers answer. */
    boolean isConsumed() {
        try {
            return consumers.stream().allMatch(this::isConsumed);
        } catch (IllegalStateException e) {
            return false;
        }
    }

    private boolean isConsumed(String consumer) {
        long[] committed = offsets.committed(consumer);
        for (int partition = 0; partition < committed.length; partition++) {
            if (committed[partition] < sent.end(partition)) {
                return false;
            }
        }
        return true;
    }

    /** Compares what was sent with what has become of it. */
    InboxFindings check() {
        return check(consumers);
    }

    /** Compares for some of the consumers. */
    InboxFindings check(List<String> some) {
        List<String> ahead = sampler.ahead().stream()
                .filter(found -> some.stream().anyMatch(consumer -> found.startsWith(consumer + ":")))
                .toList();
        return InboxFindings.of(some, sent.all(), effects.all(), deadLetters.all(), ahead);
    }

    @Override
    public void close() {
        load.close();
        sampler.close();
        offsets.close();
    }
}
