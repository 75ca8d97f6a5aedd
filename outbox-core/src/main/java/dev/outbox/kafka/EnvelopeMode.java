package dev.outbox.kafka;

/** How a CloudEvent is laid into a Kafka record. */
public enum EnvelopeMode {

    /** The payload is the record's value; the attributes are headers. */
    BINARY,

    /** Attributes and payload are one JSON document in the record's value. */
    STRUCTURED
}
