package dev.outbox.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OrdersTest {

    @Test
    void everyPayloadHas300Bytes() {
        assertThat(IntStream.rangeClosed(0, Orders.HOT).map(number -> Orders.payload(number).length))
                .containsOnly(Orders.PAYLOAD_SIZE);
    }
}
