/** The outbox: what applications call and the contracts between writer, store, relay and publisher. */
@NullMarked
package dev.outbox;

import org.jspecify.annotations.NullMarked;
