package dev.outbox.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class InboxListenersTest {

    @Test
    void oneThatThrowsDisturbsNeitherTheOthersNorTheCaller() {
        List<String> seen = new ArrayList<>();
        InboxListener failing = new InboxListener() {
            @Override
            public void processed(String consumer, UUID eventId) {
                throw new AssertionError("listener's own mistake");
            }
        };
        InboxListener recording = new InboxListener() {
            @Override
            public void processed(String consumer, UUID eventId) {
                seen.add(consumer);
            }
        };

        InboxListener.all(List.of(failing, recording)).processed("billing", UUID.randomUUID());

        assertThat(seen).containsExactly("billing");
    }
}
