package dev.outbox.benchmarks;

import java.util.Map;

/** Whether an instance with little memory gets through much. */
final class Memory implements Scenario {

    private static final String HEAP = "96m";
    private static final int EVENTS = 2_000_000;
    private static final int LARGE_EVENTS = 10_000;
    private static final int LARGE_EVERY = 500;
    private static final int LARGE_BYTES = 5 * 1024 * 1024;
    private static final String LIMIT_BYTES = Integer.toString(6 * 1024 * 1024);

    private static final Map<String, String> LARGE_REQUESTS =
            Map.of("outbox.kafka.properties.max.request.size", LIMIT_BYTES);

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public String description() {
        return "an instance with -Xmx96m: backlog of 2,000,000; backlog of 10,000 of which one in 500 has 5 MiB";
    }

    @Override
    public Summary run(Bench bench) throws Exception {
        try (Fleet instance = Fleet.start(bench.servers(), 1, LARGE_REQUESTS, HEAP)) {
            double small = instance.drain(bench, bench.scaled(EVENTS));
            bench.report().line("small events: %s", Report.rate(small));
            int events = bench.scaled(LARGE_EVENTS);
            double large = instance.drain(
                    bench,
                    events,
                    Map.of("max.message.bytes", LIMIT_BYTES),
                    topic -> instance.backlog().fillLarge(events, topic, LARGE_EVERY, LARGE_BYTES));
            return Summary.of(name())
                    .with("finished", "true")
                    .rate("ours", small)
                    .rate("large_ours", large);
        }
    }
}
