package dev.outbox.kafka;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** What is known of one topic. */
final class Topic {

    final String name;
    final Gate gate;

    /** Ends the wait of those who prepare for the topic; at the latest when they have waited once. */
    final CountDownLatch asked = new CountDownLatch(1);

    /** The number of the probe that was asked for last; it makes those before it needless. */
    private final AtomicInteger probe = new AtomicInteger();

    /** Why it takes no records. */
    private volatile String reason = "it is not known yet";

    /** Whether a record was refused for a reason that having partitions does not disprove. */
    private volatile boolean onTrial;

    /** Whether the reason may have been the cluster's. */
    private volatile boolean ambiguous;

    Topic(String name, Gate gate) {
        this.name = name;
        this.gate = gate;
    }

    int nextProbe() {
        return probe.incrementAndGet();
    }

    boolean isLastProbe(int number) {
        return probe.get() == number;
    }

    String reason() {
        return reason;
    }

    /** A record was refused. */
    void refused(Exception cause) {
        onTrial = true;
        missing(cause);
    }

    /** The topic was not found. */
    void missing(Exception cause) {
        reason = cause.toString();
        ambiguous = ClusterFailures.isAmbiguous(cause);
    }

    /** The topic has partitions: lets one record in if one was refused, else all. Tells whether that changed anything. */
    boolean found() {
        return onTrial ? gate.halfOpen() : gate.open();
    }

    void acknowledged() {
        onTrial = false;
    }

    /** An outage of the cluster is over: unless the topic had troubles of its own, it begins anew. */
    boolean beginAnew() {
        if (onTrial && !ambiguous) {
            return false;
        }
        onTrial = false;
        gate.close();
        return true;
    }
}
