/** The inbox: a database effect is applied once per consumer and event, however often the event arrives. */
@NullMarked
package dev.outbox.inbox;

import org.jspecify.annotations.NullMarked;
