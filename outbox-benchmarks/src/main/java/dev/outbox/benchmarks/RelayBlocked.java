package dev.outbox.benchmarks;

/** What events cost that wait behind a parked one. */
final class RelayBlocked implements Scenario {

    private static final int BLOCKED = 100_000;

    @Override
    public String name() {
        return "relay-blocked";
    }

    @Override
    public String description() {
        return "backlog of 500,000 beside 100,000 events that wait behind a parked one / without them";
    }

    @Override
    public Summary run(Bench bench) throws Exception {
        OutboxDatabase database = bench.servers().createDatabase();
        try (OursRelay ours = OursRelay.open(bench.servers(), database)) {
            Backlog backlog = new Backlog(database);
            int events = bench.scaled(RelayDrain.EVENTS);
            Drains drains = new Drains(bench, database, events);
            return Summary.of(
                    name(),
                    bench.compare(
                            name(),
                            drains.of(
                                    topic -> {
                                        database.empty();
                                        backlog.fillBlocked(bench.scaled(BLOCKED), topic);
                                        backlog.fill(events, topic);
                                    },
                                    ours::drain),
                            drains.ofBacklog(backlog, ours::drain)));
        }
    }
}
