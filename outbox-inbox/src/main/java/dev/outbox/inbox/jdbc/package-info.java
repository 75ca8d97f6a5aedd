/** The inbox's tables in PostgreSQL. */
@NullMarked
package dev.outbox.inbox.jdbc;

import org.jspecify.annotations.NullMarked;
