package dev.outbox.chaos;

import dev.outbox.testkit.KafkaProcess;
import dev.outbox.testkit.TcpProxy;
import java.time.Duration;
import java.util.stream.Stream;

/** Inflicts faults on a world and heals them. */
final class Faults {

    /** Twice for each exchange, so that a transaction of a few statements takes a second. */
    private static final Duration SLOW = Duration.ofMillis(40);

    private final Breakable world;

    Faults(Breakable world) {
        this.world = world;
    }

    void inflict(PlannedFault fault) {
        switch (fault.kind()) {
            case DATABASE_STOPPED -> world.postgres().stopImmediate();
            case DATABASE_PAUSED -> world.postgres().pause();
            case SESSIONS_TERMINATED -> world.terminateSessions();
            case BROKER_KILLED, TWO_BROKERS_KILLED ->
                fault.targets(world.brokers()).forEach(KafkaProcess::kill);
            case LAST_BROKER_KILLED, BROKER_PAUSED, BROKERS_PAUSED ->
                fault.targets(world.brokers()).forEach(KafkaProcess::pause);
            case DATABASE_CUT_OFF, BROKERS_CUT_OFF -> proxies(fault).forEach(TcpProxy::cut);
            case DATABASE_UNREACHABLE, BROKERS_UNREACHABLE -> proxies(fault).forEach(TcpProxy::freeze);
            case DATABASE_HALF_OPEN, BROKERS_HALF_OPEN -> proxies(fault).forEach(TcpProxy::freezeReplies);
            case DATABASE_SLOW, BROKERS_SLOW -> proxies(fault).forEach(proxy -> proxy.delay(SLOW));
            case INSTANCE_KILLED -> fault.targets(world.instances()).forEach(Instance::kill);
            case INSTANCE_PAUSED, INSTANCE_HUNG ->
                fault.targets(world.instances()).forEach(Instance::pause);
            case INSTANCE_TERMINATED -> fault.targets(world.instances()).forEach(Instance::terminate);
            case COMMITS_TERMINATED, MEMBERS_COME_AND_GO, HANDLER_SLOW -> world.inflict(fault);
        }
    }

    /** Returns when it is healed, except that an instance or a session takes its time to come back. */
    void heal(PlannedFault fault) {
        switch (fault.kind()) {
            case DATABASE_STOPPED -> world.postgres().start();
            case DATABASE_PAUSED -> world.postgres().resume();
            case SESSIONS_TERMINATED -> {}
            case BROKER_KILLED, TWO_BROKERS_KILLED ->
                fault.targets(world.brokers()).parallelStream().forEach(KafkaProcess::restart);
            case LAST_BROKER_KILLED -> {
                fault.others(world.brokers()).forEach(KafkaProcess::kill);
                fault.targets(world.brokers()).forEach(KafkaProcess::resume);
                fault.others(world.brokers()).forEach(KafkaProcess::restart);
            }
            case BROKER_PAUSED, BROKERS_PAUSED -> fault.targets(world.brokers()).forEach(KafkaProcess::resume);
            case DATABASE_CUT_OFF,
                    DATABASE_UNREACHABLE,
                    DATABASE_HALF_OPEN,
                    DATABASE_SLOW,
                    BROKERS_CUT_OFF,
                    BROKERS_UNREACHABLE,
                    BROKERS_HALF_OPEN,
                    BROKERS_SLOW -> proxies(fault).forEach(TcpProxy::restore);
            case INSTANCE_KILLED -> fault.targets(world.instances()).forEach(world::start);
            case INSTANCE_PAUSED, INSTANCE_HUNG ->
                fault.targets(world.instances()).forEach(Instance::resume);
            case COMMITS_TERMINATED, MEMBERS_COME_AND_GO, HANDLER_SLOW -> world.heal(fault);
            case INSTANCE_TERMINATED ->
                fault.targets(world.instances()).forEach(instance -> {
                    instance.awaitEnd();
                    world.start(instance);
                });
        }
    }

    private Stream<TcpProxy> proxies(PlannedFault fault) {
        return switch (fault.kind().part()) {
            case DATABASE -> fault.targets(world.instances()).stream().map(Instance::database);
            case BROKERS -> fault.targets(world.brokers()).stream().map(KafkaProcess::proxy);
            case INSTANCES -> throw new IllegalArgumentException(fault + " is none of the network");
        };
    }
}
