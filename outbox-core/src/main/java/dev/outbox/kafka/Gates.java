package dev.outbox.kafka;

import dev.outbox.EventPublisher.Availability;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides which records may be sent: those that pass the breaker of the cluster and the one of their topic. */
final class Gates implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Gates.class);

    /** How many topics are remembered; a few hundred bytes each. */
    private static final int TOPICS = 4_096;

    private static final Duration PREPARATION = Duration.ofSeconds(1);

    private final ProbeThreads threads = new ProbeThreads();
    private final BrokerProbe probe;
    private final TopicListener listener;
    private final ClusterGate cluster;
    private final TopicGates topics;

    /**
     * @param trialLimit the longest time from sending a record to its outcome
     */
    Gates(BrokerProbe probe, TopicListener listener, Duration trialLimit) {
        this(probe, listener, trialLimit, TOPICS, System::nanoTime);
    }

    Gates(BrokerProbe probe, TopicListener listener, Duration trialLimit, int limit, LongSupplier clock) {
        this.probe = probe;
        this.listener = listener;
        this.cluster = new ClusterGate(
                new Gate(Gate.State.OPEN, trialLimit, clock), threads, probe::reach, this::clusterChanged);
        this.topics = new TopicGates(
                threads,
                () -> new Gate(Gate.State.CLOSED, trialLimit, clock),
                probe::find,
                this::announce,
                this::suspect,
                limit);
    }

    /** Looks for topics that were never asked for, all at once, and waits a moment for the answers. */
    void await(Set<String> names) throws InterruptedException {
        List<Topic> asked = names.stream().map(topics::topic).toList();
        long deadline = System.nanoTime() + PREPARATION.toNanos();
        for (Topic topic : asked) {
            if (!topic.asked.await(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                topic.asked.countDown();
            }
        }
    }

    /** Returns {@code null} when the record must not be sent now. */
    @Nullable
    Pass enter(String name) {
        Topic topic = topics.topic(name);
        long topicTurn = topic.gate.enter();
        if (topicTurn == Gate.REFUSED) {
            return null;
        }
        long clusterTurn = cluster.gate().enter();
        if (clusterTurn == Gate.REFUSED) {
            topic.gate.undecided(topicTurn);
            return null;
        }
        return new Pass(topic, topicTurn, clusterTurn);
    }

    /** Says why records of a topic are refused. */
    TopicUnavailableException refusal(String name) {
        boolean all = cluster.gate().state() != Gate.State.OPEN;
        return new TopicUnavailableException(
                name, all ? "the broker takes none" : topics.topic(name).reason());
    }

    void acknowledged(Pass pass) {
        topics.acknowledged(pass.topic(), pass.topicTurn());
        cluster.acknowledged(pass.clusterTurn());
    }

    /** The record failed in a way that says nothing of topic and broker. */
    void undecided(Pass pass) {
        pass.topic().gate.undecided(pass.topicTurn());
        cluster.gate().undecided(pass.clusterTurn());
    }

    /** The record failed for a reason that is the topic's or the broker's. */
    void failed(Pass pass, Exception cause) {
        if (ClusterFailures.isClusterWide(cause)) {
            clusterFailed(pass, cause);
            return;
        }
        topics.failed(pass.topic(), pass.topicTurn(), cause);
        if (cluster.gate().state() == Gate.State.OPEN) {
            suspect(cause);
        } else if (ClusterFailures.isAmbiguous(cause)) {
            cluster.failed(pass.clusterTurn(), cause);
        } else {
            cluster.acknowledged(pass.clusterTurn());
        }
    }

    /** The record failed for a reason that concerns every topic alike. */
    void clusterFailed(Pass pass, Exception cause) {
        pass.topic().gate.undecided(pass.topicTurn());
        cluster.failed(pass.clusterTurn(), cause);
    }

    /** Nothing can be sent any more, until {@link BrokerProbe#reach()} succeeds. */
    void closeAll(Exception cause) {
        cluster.close(cause);
    }

    /** If the failure looks like silence, asks whether any broker answers. */
    void suspect(Exception cause) {
        if (ClusterFailures.isAmbiguous(cause)) {
            cluster.suspect();
        } else if (ClusterFailures.isClusterWide(cause)) {
            cluster.close(cause);
        }
    }

    Availability availability() {
        if (!cluster.gate().admits()) {
            return Availability.UNAVAILABLE;
        }
        boolean probing = cluster.gate().state() != Gate.State.OPEN;
        List<Topic> known = topics.all();
        if (known.isEmpty() || known.stream().anyMatch(topic -> topic.gate.state() == Gate.State.OPEN)) {
            return probing ? Availability.PROBING : Availability.AVAILABLE;
        }
        return known.stream().anyMatch(topic -> topic.gate.admits()) ? Availability.PROBING : Availability.UNAVAILABLE;
    }

    @Override
    public void close() {
        threads.close();
        probe.close();
    }

    private void clusterChanged(Gate.State state) {
        if (state == Gate.State.HALF_OPEN) {
            topics.beginAnew();
        } else {
            topics.all().forEach(this::announce);
        }
    }

    private void announce(Topic topic) {
        Gate.State all = cluster.gate().state();
        Gate.State one = topic.gate.state();
        if (all == Gate.State.CLOSED || one == Gate.State.CLOSED) {
            return;
        }
        try {
            if (all == Gate.State.OPEN && one == Gate.State.OPEN) {
                listener.opened(topic.name);
            } else {
                listener.probing(topic.name);
            }
        } catch (RuntimeException e) {
            log.warn("The listener of topic {} failed", topic.name, e);
        }
    }
}
