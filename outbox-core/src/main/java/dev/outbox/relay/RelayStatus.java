package dev.outbox.relay;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a relay is at one moment.
 *
 * @param running whether it was started and not stopped
 * @param workers threads that are alive
 * @param failingFor for how long every pass of a worker has failed, of the worse one if there are several; zero when
 *     the last passes succeeded
 * @param failure what that worker failed with at last; {@code null} when the last passes succeeded
 */
public record RelayStatus(
        boolean running,
        int workers,
        Duration failingFor,
        @Nullable Throwable failure) {}
