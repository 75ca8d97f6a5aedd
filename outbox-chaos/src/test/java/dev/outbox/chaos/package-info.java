/** Breaks servers, instances and the network between them while three instances write and publish, and checks what came of it. */
@NullMarked
package dev.outbox.chaos;

import org.jspecify.annotations.NullMarked;
