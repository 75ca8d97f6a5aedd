package dev.outbox.chaos;

import dev.outbox.testkit.KafkaProcess;
import dev.outbox.testkit.RestartablePostgres;
import java.util.List;

/** Servers and instances that faults are inflicted on. */
public interface Breakable {

    RestartablePostgres postgres();

    List<KafkaProcess> brokers();

    List<Instance> instances();

    /** Starts an instance as all of them are started; returns at once. */
    void start(Instance instance);

    /** Ends every session of the instances' database. */
    void terminateSessions();

    /** Inflicts a fault of a kind that only some worlds know. */
    default void inflict(PlannedFault fault) {
        throw new IllegalArgumentException(fault + " is nothing that can break here");
    }

    /** Heals what {@link #inflict} has inflicted. */
    default void heal(PlannedFault fault) {}

    /** Starts the instances again that have ended by themselves, as whatever runs a service does; tells which. */
    default List<Instance> startEnded() {
        List<Instance> ended = instances().stream().filter(Instance::hasEnded).toList();
        ended.forEach(this::start);
        return ended;
    }
}
