package dev.outbox.inbox.kafka;

import dev.outbox.inbox.OutsideWindow;
import java.util.Collection;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What one listener reads.
 *
 * @param topics names of topics, empty if there is a pattern
 * @param pattern of topics, null if they are named
 * @param outsideWindow what it does with events that are older than what the inbox remembers
 */
record Subscription(Set<String> topics, @Nullable Pattern pattern, OutsideWindow outsideWindow) {

    /** Returns the topics that it reads among those that there are. */
    Set<String> among(Collection<String> present) {
        if (pattern == null) {
            return topics;
        }
        return present.stream().filter(this::reads).collect(Collectors.toSet());
    }

    boolean reads(String topic) {
        return pattern == null ? topics.contains(topic) : pattern.matcher(topic).matches();
    }
}
