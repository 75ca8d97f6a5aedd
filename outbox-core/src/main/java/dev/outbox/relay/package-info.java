/** The relay: claims lanes, publishes their records in order and marks each after its acknowledgement. */
@NullMarked
package dev.outbox.relay;

import org.jspecify.annotations.NullMarked;
