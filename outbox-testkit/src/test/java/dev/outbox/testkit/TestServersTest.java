package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class TestServersTest {

    @Test
    void bothKindsAreKnownByTheirNamesInSmallLetters() {
        assertThat(TestServers.named("embedded")).isEqualTo(TestServers.EMBEDDED);
        assertThat(TestServers.named("testcontainers")).isEqualTo(TestServers.TESTCONTAINERS);
    }

    @Test
    void anUnknownNameIsRefusedWithTheKnownOnes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TestServers.named("docker"))
                .withMessageContainingAll("outbox.test.servers", "docker", "embedded", "testcontainers");
    }

    @Test
    void settingsReachTheContainerUnderTheNamesThatItsImageExpects() {
        assertThat(BrokerSettings.environmentName("auto.create.topics.enable"))
                .isEqualTo("KAFKA_AUTO_CREATE_TOPICS_ENABLE");
    }
}
