package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.listener.ContainerProperties;

class StaticMembershipTest {

    private static final String SETTING = "group.instance.id";

    private final ContainerProperties properties = new ContainerProperties("orders.v1");

    @Test
    void eachConsumerOfAnInstanceIsAMemberOfItsOwn() {
        assertThat(instance("billing", Map.of(SETTING, "host-1"))).isEqualTo("host-1-billing");
    }

    @Test
    void whatKafkaDoesNotAllowIsEncoded() {
        assertThat(instance("a:b", Map.of(SETTING, "höst"))).isEqualTo("h_c3_b6st-a_3ab");
    }

    @Test
    void withoutAnInstanceMembershipIsDynamic() {
        assertThat(instance("billing", Map.of())).isNull();
        assertThat(instance("billing", Map.of(SETTING, " "))).isNull();
    }

    @Test
    void aListenersOwnStays() {
        Properties own = new Properties();
        own.setProperty(SETTING, "mine");
        properties.setKafkaConsumerProperties(own);

        assertThat(instance("billing", Map.of(SETTING, "host-1"))).isEqualTo("mine");
    }

    @Test
    void oneThatIsTooLongIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> instance("x".repeat(200), Map.of(SETTING, "y".repeat(60))))
                .withMessageContaining("261 characters")
                .withMessageContaining("244");
    }

    private @Nullable String instance(String consumer, Map<String, Object> shared) {
        StaticMembership.apply(properties, consumer, shared);
        return properties.getKafkaConsumerProperties().getProperty(SETTING);
    }
}
