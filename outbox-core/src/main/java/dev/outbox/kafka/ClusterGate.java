package dev.outbox.kafka;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The breaker of the whole cluster. It closes when no broker answers, or none that would take a record of anybody; asks
 * until one answers, then lets one record in, whose acknowledgement opens it.
 */
final class ClusterGate {

    private static final Logger log = LoggerFactory.getLogger(ClusterGate.class);

    private final Gate gate;
    private final ProbeThreads threads;
    private final Runnable reach;
    private final Consumer<Gate.State> onChange;
    private final AtomicBoolean asking = new AtomicBoolean();

    /**
     * @param gate open at first
     * @param reach {@link BrokerProbe#reach()}
     * @param onChange told when the gate lets records in: one, or all
     */
    ClusterGate(Gate gate, ProbeThreads threads, Runnable reach, Consumer<Gate.State> onChange) {
        this.gate = gate;
        this.threads = threads;
        this.reach = reach;
        this.onChange = onChange;
    }

    Gate gate() {
        return gate;
    }

    /** A record was acknowledged. */
    void acknowledged(long turn) {
        if (gate.acknowledged(turn)) {
            log.info("The broker takes records again");
            onChange.accept(Gate.State.OPEN);
        }
    }

    /** A record of the turn failed by the cluster's fault. */
    void failed(long turn, Exception cause) {
        if (gate.failed(turn)) {
            closed(cause);
        }
    }

    /** Nothing more can be sent, whichever record found out. */
    void close(Exception cause) {
        if (gate.close()) {
            closed(cause);
        }
    }

    /** Something failed as it would if no broker answered: asks whether one does. */
    void suspect() {
        if (gate.state() == Gate.State.OPEN && asking.compareAndSet(false, true)) {
            threads.ask(this::check);
        }
    }

    private void check() {
        try {
            reach.run();
        } catch (RuntimeException e) {
            close(e);
        } finally {
            asking.set(false);
        }
    }

    private void closed(Exception cause) {
        log.warn("The broker takes no records now, all wait: {}", cause.toString());
        threads.askLater(this::probe, gate.failures());
    }

    private void probe() {
        try {
            reach.run();
        } catch (RuntimeException e) {
            log.debug("The broker can't be reached", e);
            gate.stayClosed();
            threads.askLater(this::probe, gate.failures());
            return;
        }
        if (gate.halfOpen()) {
            onChange.accept(Gate.State.HALF_OPEN);
        }
    }
}
