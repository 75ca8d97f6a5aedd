package dev.outbox.benchmarks;

/**
 * What a scenario is given.
 *
 * @param servers that run
 * @param rounds how often each side is measured, after one round that does not count
 * @param scale factor of all amounts; figures of different scales can't be compared
 * @param report told of every round
 */
record Bench(Servers servers, int rounds, double scale, Report report) {

    /** Returns the amount that stands for {@code amount} at this scale, at least 1. */
    int scaled(int amount) {
        return (int) Math.max(1, Math.round(amount * scale));
    }

    /** Measures both sides in turns. */
    Rates compare(String label, Comparison.Side ours, Comparison.Side limit) throws Exception {
        return new Comparison(label, ours, limit).run(rounds, report);
    }
}
