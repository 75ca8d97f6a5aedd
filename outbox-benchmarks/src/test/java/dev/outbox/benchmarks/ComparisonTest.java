package dev.outbox.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {

    private final ByteArrayOutputStream told = new ByteArrayOutputStream();
    private final List<String> order = new ArrayList<>();

    @Test
    void sidesTakeTurnsInBeingFirstAfterARoundThatDoesNotCount() throws Exception {
        Rates rates = compare(2);

        assertThat(order).containsExactly("ours", "limit", "ours", "limit", "limit", "ours");
        assertThat(rates.pairs()).containsExactly(new Rates.Pair(3, 40), new Rates.Pair(6, 50));
    }

    @Test
    void everyRoundIsTold() throws Exception {
        compare(1);

        assertThat(told.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "label: warm-up  ours=1/s limit=20/s", "label: round 1  ratio=0.08 ours=3/s limit=40/s");
    }

    private Rates compare(int rounds) throws Exception {
        Report report = new Report(new PrintStream(told, true, StandardCharsets.UTF_8));
        return new Comparison("label", () -> measured("ours", 1), () -> measured("limit", 10)).run(rounds, report);
    }

    private double measured(String side, int factor) {
        order.add(side);
        return order.size() * factor;
    }
}
