/** Billing: writes one invoice per confirmed order and knows orders only by their events. */
@NullMarked
package dev.outbox.example.billing;

import org.jspecify.annotations.NullMarked;
