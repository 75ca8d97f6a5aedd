package dev.outbox.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ChaosSettingsTest {

    @Test
    void propertiesOfInstancesAreSeparatedByCommasAndVariantsBySemicolons() {
        assertThat(ChaosSettings.parse("a=1, b = x=y;a=2"))
                .containsExactly(Map.of("a", "1", "b", "x=y"), Map.of("a", "2"));
    }

    @Test
    void whatIsNoPropertyIsRefused() {
        assertThatThrownBy(() -> ChaosSettings.parse("a=1,b")).hasMessageContaining("'b' is no name=value");
    }
}
