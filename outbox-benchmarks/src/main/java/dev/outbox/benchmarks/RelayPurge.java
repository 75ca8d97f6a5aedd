package dev.outbox.benchmarks;

import dev.outbox.benchmarks.Drains.Drain;
import java.time.Duration;

/** What the purge costs while it has something to do. */
final class RelayPurge implements Scenario {

    private static final int OLD = 5_000_000;
    private static final Duration AGE = Duration.ofDays(30);

    private static final String OLD_LEFT =
            "SELECT EXISTS (SELECT FROM outbox_delivery WHERE published_at < now() - interval '7 days')";

    @Override
    public String name() {
        return "relay-purge";
    }

    @Override
    public String description() {
        return "backlog of 500,000 while the purge works through 5,000,000 old rows / while it does not";
    }

    @Override
    public Summary run(Bench bench) throws Exception {
        OutboxDatabase database = bench.servers().createDatabase();
        try (OursRelay ours = OursRelay.open(bench.servers(), database)) {
            Backlog backlog = new Backlog(database);
            bench.report().line("filling in the old rows");
            backlog.fillHistory(bench.scaled(OLD), AGE);
            int events = bench.scaled(RelayDrain.EVENTS);
            Drains drains = new Drains(bench, database, events);
            Drain whilePurging = records -> {
                ours.purge().start();
                try {
                    ours.drain(records);
                } finally {
                    ours.purge().stop();
                }
                requireOldRows(database);
            };
            return Summary.of(
                    name(),
                    bench.compare(
                            name(),
                            drains.of(topic -> backlog.fill(events, topic), whilePurging),
                            drains.of(topic -> backlog.fill(events, topic), ours::drain)));
        }
    }

    private static void requireOldRows(OutboxDatabase database) {
        if (!database.jdbc().sql(OLD_LEFT).query(Boolean.class).single()) {
            throw new IllegalStateException("The purge was done before the drain; there are too few old rows");
        }
    }
}
