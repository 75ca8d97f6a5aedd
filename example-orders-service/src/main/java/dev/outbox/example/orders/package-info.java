/** Orders: placed and confirmed over HTTP; a confirmation is announced on Kafka. */
@NullMarked
package dev.outbox.example.orders;

import org.jspecify.annotations.NullMarked;
