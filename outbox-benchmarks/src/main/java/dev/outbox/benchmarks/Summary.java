package dev.outbox.benchmarks;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The last line of a run: a scenario and its figures, in the order in which they were added.
 *
 * @param figures names and formatted values
 */
record Summary(String scenario, Map<String, String> figures) {

    Summary {
        figures = new LinkedHashMap<>(figures);
    }

    static Summary of(String scenario) {
        return new Summary(scenario, Map.of());
    }

    /** The figures of the scenario's main comparison. */
    static Summary of(String scenario, Rates rates) {
        return of(scenario)
                .ratio("ratio", rates.ratio())
                .rate("ours", rates.ours())
                .rate("limit", rates.limit());
    }

    Summary ratio(String name, double value) {
        return with(name, String.format(Locale.ROOT, "%.2f", value));
    }

    Summary rate(String name, double perSecond) {
        return with(name, Report.rate(perSecond));
    }

    Summary millis(String name, double value) {
        return with(name, String.format(Locale.ROOT, "%.2fms", value));
    }

    Summary with(String name, String value) {
        Map<String, String> all = new LinkedHashMap<>(figures);
        all.put(name, value);
        return new Summary(scenario, all);
    }

    @Override
    public String toString() {
        return figures.entrySet().stream()
                .map(figure -> figure.getKey() + "=" + figure.getValue())
                .collect(Collectors.joining(" ", scenario + ": ", ""));
    }
}
