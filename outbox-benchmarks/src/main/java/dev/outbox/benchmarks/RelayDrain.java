package dev.outbox.benchmarks;

/** How fast one instance drains a backlog. */
final class RelayDrain implements Scenario {

    static final int EVENTS = 500_000;

    @Override
    public String name() {
        return "relay-drain";
    }

    @Override
    public String description() {
        return "backlog of 500,000, strict order, one instance / hand-written pipeline without order or claims";
    }

    @Override
    public Summary run(Bench bench) throws Exception {
        OutboxDatabase database = bench.servers().createDatabase();
        try (OursRelay ours = OursRelay.open(bench.servers(), database);
                Pipeline limit = new Pipeline(bench.servers(), database)) {
            Backlog backlog = new Backlog(database);
            Drains drains = new Drains(bench, database, bench.scaled(EVENTS));
            return Summary.of(
                    name(),
                    bench.compare(
                            name(), drains.ofBacklog(backlog, ours::drain), drains.ofBacklog(backlog, limit::drain)));
        }
    }
}
