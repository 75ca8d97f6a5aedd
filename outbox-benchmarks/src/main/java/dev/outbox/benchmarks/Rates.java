package dev.outbox.benchmarks;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.apache.commons.statistics.descriptive.Median;

/**
 * What was measured of two sides.
 *
 * @param pairs what was measured next to each other
 */
record Rates(List<Pair> pairs) {

    Rates {
        pairs = List.copyOf(pairs);
    }

    static Rates none() {
        return new Rates(List.of());
    }

    Rates and(double ours, double limit) {
        return new Rates(
                Stream.concat(pairs.stream(), Stream.of(new Pair(ours, limit))).toList());
    }

    Pair latest() {
        return pairs.get(pairs.size() - 1);
    }

    /** The median of the pairs' ratios, which is not the ratio of the medians: the machine's moods are in both of a pair. */
    double ratio() {
        return median(Pair::ratio);
    }

    double ours() {
        return median(Pair::ours);
    }

    double limit() {
        return median(Pair::limit);
    }

    private double median(ToDoubleFunction<Pair> figure) {
        return Median.withDefaults().evaluate(pairs.stream().mapToDouble(figure).toArray());
    }

    /**
     * Two measurements next to each other, each a rate a second.
     */
    record Pair(double ours, double limit) {

        double ratio() {
            return ours / limit;
        }
    }
}
