package dev.outbox.chaos.inbox;

import dev.outbox.chaos.Breakable;
import dev.outbox.chaos.Diary;
import dev.outbox.chaos.Instance;
import dev.outbox.chaos.PlannedFault;
import dev.outbox.chaos.Servers;
import dev.outbox.testkit.KafkaProcess;
import dev.outbox.testkit.RestartablePostgres;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** Two instances in processes of their own, which consume a load in every mode, and the servers that they use. */
final class InboxWorld implements Breakable, AutoCloseable {

    /** All modes but the wrong one, at once: each has a group of its own. */
    private static final List<Mode> MODES = List.of(Mode.RECORD, Mode.BATCH, Mode.PARALLEL);

    private static final int INSTANCES = 2;
    private static final Duration PAUSE = Duration.ofMillis(12);
    private static final Duration COMMIT_LIMIT = Duration.ofSeconds(8);

    private final Servers servers;
    private final long seed;
    private final Traffic traffic;
    private final List<Instance> instances;
    private @Nullable PassingMembers members;

    /**
     * @param seed of the load
     * @param logs where the instances' logs go
     */
    InboxWorld(Servers servers, long seed, Path logs) {
        this.servers = servers;
        this.seed = seed;
        this.traffic = new Traffic(servers, MODES.stream().map(Mode::consumer).toList(), seed, PAUSE);
        Diary.makeEmpty(logs);
        this.instances = IntStream.rangeClosed(1, INSTANCES)
                .mapToObj(number -> new Instance(
                        InboxChaosApplication.class,
                        number,
                        traffic.database(),
                        servers.kafka().proxiedBootstrapServers(),
                        logs.resolve("instance-" + number + ".log")))
                .toList();
    }

    /** Starts instances and load; returns when the instances run. */
    void start() {
        instances.forEach(this::start);
        traffic.start();
        instances.forEach(Instance::awaitReady);
    }

    /** Stops every instance in good order. */
    void stop() {
        instances.forEach(Instance::terminate);
        instances.forEach(Instance::awaitEnd);
    }

    Traffic traffic() {
        return traffic;
    }

    @Override
    public RestartablePostgres postgres() {
        return servers.postgres();
    }

    @Override
    public List<KafkaProcess> brokers() {
        return servers.kafka().servers();
    }

    @Override
    public List<Instance> instances() {
        return instances;
    }

    @Override
    public void start(Instance instance) {
        String start = instance.number() + "." + (instance.starts() + 1);
        instance.start(
                Instance.arguments(InboxChaosApplication.properties(traffic.topic(), MODES, start)),
                InboxChaosApplication.ready(start));
    }

    @Override
    public void terminateSessions() {
        servers.postgres().terminateBackends(traffic.database().name());
    }

    @Override
    public void inflict(PlannedFault fault) {
        switch (fault.kind()) {
            case COMMITS_TERMINATED -> terminateCommits();
            case MEMBERS_COME_AND_GO ->
                members = new PassingMembers(servers.kafka().bootstrapServers(), traffic.topic())
                        .start(traffic.consumers(), seed);
            case HANDLER_SLOW -> traffic.load().sendSlow();
            default -> throw new IllegalArgumentException(fault + " is not for consumers only");
        }
    }

    @Override
    public void heal(PlannedFault fault) {
        if (members != null) {
            members.close();
            members = null;
        }
    }

    /** Commits that linger are there several times a second, while consumers get on; they may not be getting on. */
    private void terminateCommits() {
        long end = System.nanoTime() + COMMIT_LIMIT.toNanos();
        Awaitility.await("commits to terminate")
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .atMost(COMMIT_LIMIT.plusSeconds(5))
                .until(() -> traffic.effects().terminateCommits() > 0 || System.nanoTime() > end);
    }

    @Override
    public void close() {
        if (members != null) {
            members.close();
        }
        instances.forEach(Instance::close);
        traffic.close();
    }
}
