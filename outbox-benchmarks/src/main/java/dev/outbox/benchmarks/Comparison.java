package dev.outbox.benchmarks;

/**
 * Two sides that are measured in turns, each one first in every other round, so that whatever changes on the machine
 * meets both alike.
 *
 * @param label which comparison of its scenario this is
 */
record Comparison(String label, Side ours, Side limit) {

    /** Measures both sides once without counting it, and then so often. */
    Rates run(int rounds, Report report) throws Exception {
        report.warmUp(label, ours.measure(), limit.measure());
        Rates rates = Rates.none();
        for (int round = 1; round <= rounds; round++) {
            boolean oursFirst = round % 2 == 1;
            double first = (oursFirst ? ours : limit).measure();
            double second = (oursFirst ? limit : ours).measure();
            rates = oursFirst ? rates.and(first, second) : rates.and(second, first);
            report.round(label, round, rates.latest());
        }
        return rates;
    }

    /** One of the two. */
    @FunctionalInterface
    interface Side {

        /** Prepares a round, makes it, and returns how much was done a second. */
        double measure() throws Exception;
    }
}
