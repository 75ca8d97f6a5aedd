/** Publishes outbox records to Kafka as CloudEvents with a producer of its own. */
@NullMarked
package dev.outbox.kafka;

import org.jspecify.annotations.NullMarked;
