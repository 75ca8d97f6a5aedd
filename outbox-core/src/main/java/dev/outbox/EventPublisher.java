package dev.outbox;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Hands records to the broker. */
public interface EventPublisher {

    /**
     * Starts publishing a record. The callback is called exactly once, on any thread, within
     * {@link #publishTimeout()}; this method may call it before it returns and throws nothing.
     */
    void publish(Delivery delivery, Callback callback);

    /**
     * Gets ready for records of these topics. Called on the relay's thread before their first {@link #publish}; may wait
     * for what is not known yet, but only for a moment, and throws nothing but the interruption.
     */
    default void prepare(Set<String> topics) throws InterruptedException {}

    /** Whether it makes sense to try. */
    Availability availability();

    /** The longest time from {@link #publish} to the callback, in milliseconds. */
    long publishTimeout();

    /** What a publisher can take now. */
    enum Availability {

        /** Records of at least one topic. */
        AVAILABLE,

        /** One record, to find out whether an outage is over. */
        PROBING,

        /** Nothing: every topic that was tried is unavailable. */
        UNAVAILABLE
    }

    /** Told how publishing one record ended. */
    @FunctionalInterface
    interface Callback {

        /**
         * @param failure {@code null} when all in-sync replicas have acknowledged the record
         */
        void completed(@Nullable PublishFailure failure);
    }
}
