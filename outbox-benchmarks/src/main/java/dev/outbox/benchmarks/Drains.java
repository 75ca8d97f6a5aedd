package dev.outbox.benchmarks;

import dev.outbox.benchmarks.Comparison.Side;
import java.util.Map;

/**
 * Rounds in which a backlog is drained.
 *
 * @param events of one round
 */
record Drains(Bench bench, OutboxDatabase database, int events) {

    /** Empties the tables, fills them with aggregates drawn at random, and measures how fast they are drained. */
    Side ofBacklog(Backlog backlog, Drain drain) {
        return of(
                topic -> {
                    database.empty();
                    backlog.fill(events, topic);
                },
                drain);
    }

    /** The same after another preparation. */
    Side of(Preparation preparation, Drain drain) {
        return () -> bench.servers().withTopic(Map.of(), topic -> {
            preparation.prepare(topic);
            database.settle();
            long start = System.nanoTime();
            drain.drain(events);
            double seconds = (System.nanoTime() - start) / 1e9;
            database.requireDrained();
            tellRepeats(bench.servers().records(topic) - events);
            return events / seconds;
        });
    }

    private void tellRepeats(long beyond) {
        if (beyond != 0) {
            bench.report().line("the topic has %d records more than events", beyond);
        }
    }

    /** Makes the tables what a round begins with. */
    @FunctionalInterface
    interface Preparation {

        void prepare(String topic) throws Exception;
    }

    /** What is measured. */
    @FunctionalInterface
    interface Drain {

        /** Publishes all and returns once the last one is marked. */
        void drain(int events) throws Exception;
    }
}
