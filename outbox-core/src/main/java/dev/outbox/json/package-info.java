/** JSON payloads by Jackson. */
@NullMarked
package dev.outbox.json;

import org.jspecify.annotations.NullMarked;
