package dev.outbox.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class IdempotencyKeyTest {

    private static final UUID EVENT = UUID.fromString("0190163d-8694-739b-aea5-966c26f8ad91");

    /** Other services have stored these values: a key that changes is a second payment. */
    @Test
    void aKeyNeverChanges() {
        IdempotencyKey key = IdempotencyKey.of(new ConsumerName("billing"), EVENT);

        assertThat(key.value()).isEqualTo("72812dbf-18ed-5d06-adf5-8ba3719145ea");
        assertThat(key.forCall("refund").value()).isEqualTo("77431e5a-3351-591c-b7d8-ca2846ba6d0a");
        assertThat(key).hasToString(key.value());
    }

    @Test
    void eachConsumerAndEachCallHasItsOwn() {
        IdempotencyKey key = IdempotencyKey.of(new ConsumerName("billing"), EVENT);

        assertThat(key).isNotEqualTo(IdempotencyKey.of(new ConsumerName("shipping"), EVENT));
        assertThat(key).isNotEqualTo(IdempotencyKey.of(new ConsumerName("billing"), UUID.randomUUID()));
        assertThat(key.forCall("refund")).isNotEqualTo(key.forCall("charge")).isNotEqualTo(key);
    }

    @Test
    void anythingButAUuidIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new IdempotencyKey("1-1-1-1-1"));
    }
}
