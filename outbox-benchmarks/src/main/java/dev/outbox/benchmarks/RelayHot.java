package dev.outbox.benchmarks;

import java.util.Map;

/** How fast one aggregate is drained, of which one record at a time may be under way. */
final class RelayHot implements Scenario {

    private static final int EVENTS = 50_000;
    private static final Map<String, String> TRANSACTIONS =
            Map.of("outbox.kafka.transaction-id-prefix", "benchmark", "outbox.relay.lease", "2m");

    @Override
    public String name() {
        return "relay-hot";
    }

    @Override
    public String description() {
        return "backlog of 50,000 of one aggregate / send().get() loop; in Kafka transactions / naive batch loop";
    }

    @Override
    public Summary run(Bench bench) throws Exception {
        OutboxDatabase database = bench.servers().createDatabase();
        try (OursRelay strict = OursRelay.open(bench.servers(), database);
                OursRelay transactional = OursRelay.open(bench.servers(), database, TRANSACTIONS);
                NaiveLoop limit = new NaiveLoop(bench.servers(), database)) {
            Backlog backlog = new Backlog(database);
            int events = bench.scaled(EVENTS);
            Drains drains = new Drains(bench, database, events);
            Drains.Preparation hot = topic -> {
                database.empty();
                backlog.fillHot(events, topic);
            };
            Rates oneByOne =
                    bench.compare("strict", drains.of(hot, strict::drain), drains.of(hot, limit::drainOneByOne));
            Rates batches = bench.compare(
                    "transactions", drains.of(hot, transactional::drain), drains.of(hot, limit::drainInBatches));
            return Summary.of(name(), oneByOne)
                    .ratio("transactions_ratio", batches.ratio())
                    .rate("transactions_ours", batches.ours())
                    .rate("transactions_limit", batches.limit());
        }
    }
}
