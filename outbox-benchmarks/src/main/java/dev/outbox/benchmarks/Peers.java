package dev.outbox.benchmarks;

import dev.outbox.benchmarks.Comparison.Side;

/** How fast another library drains a backlog of as many events as ours. */
final class Peers implements Scenario {

    private static final int EVENTS = 20_000;

    @Override
    public String name() {
        return "peers";
    }

    @Override
    public String description() {
        return "backlog of 20,000, strict order, one instance / Namastack Outbox, Spring Modulith";
    }

    @Override
    public Summary run(Bench bench) throws Exception {
        int events = bench.scaled(EVENTS);
        OutboxDatabase database = bench.servers().createDatabase();
        Namastack namastack = new Namastack(bench, bench.servers().createDatabase(), events);
        Modulith modulith = new Modulith(bench, bench.servers().createDatabase(), events);
        try (OursRelay ours = OursRelay.open(bench.servers(), database)) {
            Side drain = new Drains(bench, database, events).ofBacklog(new Backlog(database), ours::drain);
            Summary beside = summary("namastack", bench.compare("namastack", drain, namastack::measure));
            bench.report().line("%s", beside);
            return summary("modulith", bench.compare("modulith", drain, modulith::measure));
        }
    }

    private Summary summary(String peer, Rates rates) {
        return Summary.of(name())
                .ratio("ratio", rates.ratio())
                .rate("ours", rates.ours())
                .rate(peer, rates.limit());
    }
}
