/** Breaks servers, instances and consumer groups while two instances consume, and checks what came of it. */
@NullMarked
package dev.outbox.chaos.inbox;

import org.jspecify.annotations.NullMarked;
