/** Meters of the outbox and the capture of the trace context. */
@NullMarked
package dev.outbox.micrometer;

import org.jspecify.annotations.NullMarked;
