/** Metrics of the inbox. */
@NullMarked
package dev.outbox.inbox.micrometer;

import org.jspecify.annotations.NullMarked;
