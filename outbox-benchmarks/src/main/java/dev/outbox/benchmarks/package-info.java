/** Scenarios that measure the outbox beside what hand-written code reaches on the same servers. */
@NullMarked
package dev.outbox.benchmarks;

import org.jspecify.annotations.NullMarked;
