/** Real PostgreSQL and Kafka servers, faults to inflict on them, and checks of what was delivered. */
@NullMarked
package dev.outbox.testkit;

import org.jspecify.annotations.NullMarked;
