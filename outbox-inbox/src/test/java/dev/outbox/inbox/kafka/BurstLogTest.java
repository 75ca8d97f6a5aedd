package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BurstLogTest {

    @Test
    void theFirstOfABurstIsLoggedAndTheRestIsNot() {
        List<Long> lines = new ArrayList<>();
        BurstLog burst = new BurstLog();

        for (int i = 0; i < 1_000; i++) {
            burst.add(lines::add);
        }

        assertThat(lines).containsExactly(1L);
    }
}
