package dev.outbox.inbox.kafka;

/**
 * How the records of one listener are read.
 *
 * @param reader finds out which event a record is
 * @param payloads turns the bytes of its payload into what the handler asks for
 */
record ListenerReading(EventReader reader, PayloadConverter payloads) {}
