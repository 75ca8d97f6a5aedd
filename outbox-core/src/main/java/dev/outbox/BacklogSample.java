package dev.outbox;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the backlog.
 *
 * @param backlog what the last look at the database found; {@code null} before the first one, and when the last one that
 *     succeeded was too long ago to be believed
 * @param age time since that look, or since looking began
 */
public record BacklogSample(@Nullable Backlog backlog, Duration age) {}
