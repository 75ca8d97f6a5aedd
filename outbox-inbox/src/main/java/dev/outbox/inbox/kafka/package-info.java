/** Kafka listeners whose effect goes through the inbox, their failures and their dead letters. */
@NullMarked
package dev.outbox.inbox.kafka;

import org.jspecify.annotations.NullMarked;
