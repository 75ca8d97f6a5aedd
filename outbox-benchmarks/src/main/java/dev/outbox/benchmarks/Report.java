package dev.outbox.benchmarks;

import java.io.PrintStream;
import java.util.Locale;

/** Tells what is measured while it is measured. */
final class Report {

    private final PrintStream out;

    Report(PrintStream out) {
        this.out = out;
    }

    void line(String format, Object... arguments) {
        out.println(String.format(Locale.ROOT, format, arguments));
        out.flush();
    }

    void warmUp(String label, double ours, double limit) {
        line("%s: warm-up  ours=%s limit=%s", label, rate(ours), rate(limit));
    }

    void round(String label, int round, Rates.Pair pair) {
        line(
                "%s: round %d  ratio=%.2f ours=%s limit=%s",
                label, round, pair.ratio(), rate(pair.ours()), rate(pair.limit()));
    }

    static String rate(double perSecond) {
        return String.format(Locale.ROOT, "%.0f/s", perSecond);
    }
}
