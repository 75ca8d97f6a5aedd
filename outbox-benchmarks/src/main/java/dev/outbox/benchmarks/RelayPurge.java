package dev.outbox.benchmarks;

import dev.outbox.benchmarks.Drains.Drain;
import dev.outbox.benchmarks.Drains.Preparation;
import java.time.Duration;

/** What the purge costs while it has something to do. */
final class RelayPurge implements Scenario {

    private static final int OLD = 5_000_000;
    private static final Duration AGE = Duration.ofDays(30);

    private static final String COUNT_OLD =
            "SELECT count(*) FROM outbox_delivery WHERE published_at < now() - interval '7 days'";

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
            int events = bench.scaled(RelayDrain.EVENTS);
            Drains drains = new Drains(bench, database, events);
            Preparation preparation = topic -> {
                keepOld(database, backlog, bench.scaled(OLD));
                backlog.fill(events, topic);
            };
            Drain whilePurging = records -> {
                ours.purge().start();
                try {
                    ours.drain(records);
                } finally {
                    ours.purge().stop();
                }
                if (countOld(database) == 0) {
                    bench.report().line("the purge was done before the drain");
                }
            };
            return Summary.of(
                    name(),
                    bench.compare(name(), drains.of(preparation, whilePurging), drains.of(preparation, ours::drain)));
        }
    }

    /** More than half of them are enough for a round. */
    private static void keepOld(OutboxDatabase database, Backlog backlog, int rows) {
        if (countOld(database) <= rows / 2) {
            database.empty();
            backlog.fillHistory(rows, AGE);
        }
    }

    private static long countOld(OutboxDatabase database) {
        return database.jdbc().sql(COUNT_OLD).query(Long.class).single();
    }
}
