/** Example service: a confirmed order becomes an invoice, by way of the outbox, Kafka and the inbox. */
@NullMarked
package dev.outbox.example;

import org.jspecify.annotations.NullMarked;
