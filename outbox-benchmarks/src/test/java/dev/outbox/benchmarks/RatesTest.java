package dev.outbox.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RatesTest {

    @Test
    void theRatioIsTheMedianOfThePairsRatios() {
        Rates rates = Rates.none().and(90, 100).and(20, 40).and(300, 100);

        assertThat(rates.ratio()).isEqualTo(0.9);
        assertThat(rates.ours()).isEqualTo(90);
        assertThat(rates.limit()).isEqualTo(100);
    }

    @Test
    void theMedianOfTwoIsTheirMiddle() {
        assertThat(Rates.none().and(1, 2).and(3, 4).ratio()).isEqualTo(0.625);
    }
}
