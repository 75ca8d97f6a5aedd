package dev.outbox.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScenariosTest {

    @Test
    void scenariosAreFoundByName() {
        assertThat(Scenarios.named("relay-drain")).isInstanceOf(RelayDrain.class);
        assertThat(Scenarios.named("unheard-of")).isNull();
    }

    @Test
    void namesAreUnique() {
        assertThat(Scenarios.names().split(", ")).doesNotHaveDuplicates();
    }
}
