package dev.outbox.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SummaryTest {

    @Test
    void aComparisonIsTheRatioAndBothRates() {
        assertThat(Summary.of("relay-drain", Rates.none().and(123_456, 141_903)))
                .hasToString("relay-drain: ratio=0.87 ours=123456/s limit=141903/s");
    }

    @Test
    void figuresStandInTheOrderInWhichTheyWereAdded() {
        assertThat(Summary.of("latency").millis("p50", 2.3).millis("p99", 6.614).ratio("another", 1))
                .hasToString("latency: p50=2.30ms p99=6.61ms another=1.00");
    }
}
