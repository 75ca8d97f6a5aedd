package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.ConsumerNameClashException;
import dev.outbox.inbox.Inbox;
import dev.outbox.inbox.Intake;
import dev.outbox.inbox.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RegisteredInboxTest {

    private final List<String> calls = new ArrayList<>();
    private boolean clash;

    @Test
    void nothingIsLookedUpUnderANameThatAnotherGroupUses() {
        clash = true;
        Inbox inbox = inbox(Duration.ofDays(8));

        assertThatExceptionOfType(ConsumerNameClashException.class).isThrownBy(() -> process(inbox));
        clash = false;
        process(inbox);

        assertThat(calls).containsExactly("register billing group", "register billing group", "process");
    }

    @Test
    void theNameIsRegisteredOnceAndNotForEachEvent() {
        Inbox inbox = inbox(Duration.ofDays(8));

        process(inbox);
        process(inbox);

        assertThat(calls).containsExactly("register billing group", "process", "process");
    }

    @Test
    void itIsRegisteredAgainWellWithinTheRetention() {
        Inbox inbox = inbox(Duration.ofNanos(4));

        process(inbox);
        process(inbox);

        assertThat(calls).containsExactly("register billing group", "process", "register billing group", "process");
    }

    private void process(Inbox inbox) {
        inbox.process(new ConsumerName("billing"), List.of(UUID.randomUUID()), fresh -> Map.of());
    }

    private Inbox inbox(Duration retention) {
        return new RegisteredInbox(
                new RecordingInbox(),
                (consumer, group) -> {
                    calls.add("register " + consumer + " " + group);
                    if (clash) {
                        throw new ConsumerNameClashException(consumer.value(), group, "other", "yesterday");
                    }
                },
                "group",
                retention);
    }

    private final class RecordingInbox implements Inbox {

        @Override
        public <E extends Exception> Map<UUID, Verdict> process(
                ConsumerName consumer, List<UUID> eventIds, Intake<E> intake) {
            calls.add("process");
            return Map.of();
        }

        @Override
        public void checkTransactionManager() {}
    }
}
