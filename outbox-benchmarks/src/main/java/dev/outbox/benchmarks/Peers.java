package dev.outbox.benchmarks;

/** How fast another library drains a backlog of as many events as ours. */
final class Peers implements Scenario {

    private static final int EVENTS = 50_000;

    @Override
    public String name() {
        return "peers";
    }

    @Override
    public String description() {
        return "backlog of 50,000, strict order, one instance / Namastack Outbox with JDBC";
    }

    @Override
    public Summary run(Bench bench) throws Exception {
        int events = bench.scaled(EVENTS);
        OutboxDatabase database = bench.servers().createDatabase();
        Namastack namastack = new Namastack(bench, bench.servers().createDatabase(), events);
        try (OursRelay ours = OursRelay.open(bench.servers(), database)) {
            Drains drains = new Drains(bench, database, events);
            Rates rates = bench.compare(
                    "namastack", drains.ofBacklog(new Backlog(database), ours::drain), namastack::measure);
            return Summary.of(name())
                    .ratio("ratio", rates.ratio())
                    .rate("ours", rates.ours())
                    .rate("namastack", rates.limit());
        }
    }
}
