package dev.outbox;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a Java record an event that {@link OutboxWriter#append(Object)} takes; the whole record is its payload.
 *
 * <pre>{@code
 * @OutboxEvent(type = "order.confirmed", topic = "orders.v1")
 * record OrderConfirmed(@AggregateId UUID orderId, @AggregateVersion long version, long amountCents) {}
 * }</pre>
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface OutboxEvent {

    /** The fact's name in the past tense, {@code order.confirmed}. */
    String type();

    /** The Kafka topic. */
    String topic();

    /** The version of the payload's structure, from 1. */
    int schemaVersion() default 1;

    /** The aggregate's type; by default what stands before the last dot of {@link #type()}, {@code order}. */
    String aggregateType() default "";
}
