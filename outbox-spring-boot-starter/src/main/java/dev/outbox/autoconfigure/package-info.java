/** Auto-configuration of the outbox and the inbox for Spring Boot: wiring and properties, nothing else. */
@NullMarked
package dev.outbox.autoconfigure;

import org.jspecify.annotations.NullMarked;
