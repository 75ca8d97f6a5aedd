/** PostgreSQL plumbing that the outbox and the inbox share; not meant to be called by applications. */
@NullMarked
package dev.outbox.postgresql;

import org.jspecify.annotations.NullMarked;
