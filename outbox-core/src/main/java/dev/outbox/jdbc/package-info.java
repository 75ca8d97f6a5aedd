/** The outbox tables in PostgreSQL: appending, claiming, marking and their migrations. */
@NullMarked
package dev.outbox.jdbc;

import org.jspecify.annotations.NullMarked;
