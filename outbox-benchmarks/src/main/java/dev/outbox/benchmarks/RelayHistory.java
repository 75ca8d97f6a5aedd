package dev.outbox.benchmarks;

import java.time.Duration;

/** What rows that were published long ago cost. */
final class RelayHistory implements Scenario {

    private static final int HISTORY = 10_000_000;
    private static final Duration AGE = Duration.ofDays(1);

    @Override
    public String name() {
        return "relay-history";
    }

    @Override
    public String description() {
        return "backlog of 500,000 beside 10,000,000 published rows / beside none";
    }

    @Override
    public Summary run(Bench bench) throws Exception {
        OutboxDatabase old = bench.servers().createDatabase();
        OutboxDatabase young = bench.servers().createDatabase();
        int events = bench.scaled(RelayDrain.EVENTS);
        try (OursRelay beside = OursRelay.open(bench.servers(), old);
                OursRelay alone = OursRelay.open(bench.servers(), young)) {
            Backlog history = new Backlog(old);
            bench.report().line("filling in the history");
            history.fillHistory(bench.scaled(HISTORY), AGE);
            return Summary.of(
                    name(),
                    bench.compare(
                            name(),
                            // What was drained becomes part of the history.
                            new Drains(bench, old, events).of(topic -> history.fill(events, topic), beside::drain),
                            new Drains(bench, young, events).ofBacklog(new Backlog(young), alone::drain)));
        }
    }
}
