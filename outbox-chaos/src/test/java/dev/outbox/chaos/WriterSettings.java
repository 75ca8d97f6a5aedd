package dev.outbox.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.core.env.Environment;

/**
 * How an instance writes.
 *
 * @param topic where its events go
 * @param seed of everything that is random
 * @param threads that write at once
 * @param transactions of each thread; zero for no end
 * @param pause longest pause between two transactions
 * @param aggregates how many there are
 */
record WriterSettings(String topic, long seed, int threads, int transactions, Duration pause, int aggregates) {

    /** More than the 200 beyond which a transaction's guard locks whole lanes. */
    static final int AGGREGATES = 400;

    static WriterSettings of(Environment environment) {
        return new WriterSettings(
                environment.getRequiredProperty("chaos.topic"),
                environment.getRequiredProperty("chaos.seed", Long.class),
                environment.getRequiredProperty("chaos.threads", Integer.class),
                environment.getRequiredProperty("chaos.transactions", Integer.class),
                environment.getRequiredProperty("chaos.pause", Duration.class),
                AGGREGATES);
    }

    /** As command line arguments of {@link ChaosApplication}. */
    List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        Map.of(
                        "chaos.topic", topic,
                        "chaos.seed", Long.toString(seed),
                        "chaos.threads", Integer.toString(threads),
                        "chaos.transactions", Integer.toString(transactions),
                        "chaos.pause", pause.toMillis() + "ms")
                .forEach((name, value) -> arguments.add("--" + name + "=" + value));
        return arguments;
    }

    WriterSettings withSeed(long other) {
        return new WriterSettings(topic, other, threads, transactions, pause, aggregates);
    }
}
