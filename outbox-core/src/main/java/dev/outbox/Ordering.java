package dev.outbox;

/** How far a relay keeps the order in which the events of one aggregate were appended. */
public enum Ordering {

    /**
     * The next record of an aggregate is sent when the one before it is acknowledged. First deliveries are in order,
     * whatever fails. One aggregate is as fast as one acknowledgement after the other; different aggregates don't wait for
     * each other.
     */
    STRICT,

    /**
     * Records of one aggregate go out in order without waiting for each other's acknowledgement. As long as nothing fails
     * they arrive in order. When one fails alone, those sent after it have overtaken it; what was not sent yet waits
     * behind it. After a crash, or when a relay has lost its lanes without knowing, the same may happen.
     */
    PIPELINED,

    /** Aggregates are ignored: nothing waits behind a record that fails, and nothing is promised about the order. */
    NONE
}
