/** Lets appends follow the pending changes of a JPA persistence context. */
@NullMarked
package dev.outbox.jpa;

import org.jspecify.annotations.NullMarked;
