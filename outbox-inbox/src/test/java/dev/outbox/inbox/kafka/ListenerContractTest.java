package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.inbox.DeadLetterSettings;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ListenerContractTest {

    @Test
    void aTopicPatternNeverMatchesDeadLetterTopics() {
        Pattern pattern = ListenerContract.withoutDeadLetters(
                Pattern.compile("orders\\..*|ORDERS", Pattern.CASE_INSENSITIVE), DeadLetterSettings.defaults());

        assertThat("orders.v1").matches(pattern);
        assertThat("Orders").matches(pattern);
        assertThat("orders.v1-dlt-archive").matches(pattern);
        assertThat("orders.v1-dlt").doesNotMatch(pattern);
        assertThat("payments.v1").doesNotMatch(pattern);
    }
}
