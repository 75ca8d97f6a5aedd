package dev.outbox.benchmarks;

import dev.outbox.benchmarks.PacedWriter.Pace;
import java.time.Duration;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** How long it takes from an event's commit to the broker's acknowledgement. */
final class Latency implements Scenario {

    private static final Duration IDLE_PERIOD = Duration.ofMillis(25);
    private static final int IDLE_TRANSACTIONS = 400;
    private static final Duration LOAD_PERIOD = Duration.ofMillis(10);
    private static final int LOAD_TRANSACTIONS = 1_000;
    private static final double LOAD = 0.6;
    private static final int DRAIN_EVENTS = 200_000;
    private static final double NANOS = 1e6;

    @Override
    public String name() {
        return "latency";
    }

    @Override
    public String description() {
        return "commit to acknowledgement, idle and at 60 % of the drain rate / hand-written wake-up of one loop";
    }

    @Override
    public Summary run(Bench bench) throws Exception {
        OutboxDatabase database = bench.servers().createDatabase();
        CommitToAck commits = new CommitToAck();
        try (OursRelay ours =
                OursRelay.open(bench.servers(), database, Map.of(), new AckWatch(commits::acknowledged))) {
            Sides sides = new Sides(bench, database, ours, commits);
            Pace idle = new Pace(IDLE_PERIOD, bench.scaled(IDLE_TRANSACTIONS), 1);
            Times quiet = compare("idle", sides, idle);
            Times loaded = compare("load", sides, load(bench, database));
            return loaded.addTo(quiet.addTo(Summary.of(name()), ""), "load_");
        }
    }

    private static Times compare(String label, Sides sides, Pace pace) throws Exception {
        sides.ours(pace);
        sides.limit(pace);
        Times all = new Times();
        for (int round = 1; round <= sides.bench.rounds(); round++) {
            boolean oursFirst = round % 2 == 1;
            Histogram first = oursFirst ? sides.ours(pace) : sides.limit(pace);
            Histogram second = oursFirst ? sides.limit(pace) : sides.ours(pace);
            Times times = new Times();
            times.ours.add(oursFirst ? first : second);
            times.limit.add(oursFirst ? second : first);
            sides.bench.report().line("%s", times.addTo(Summary.of(label + ": round " + round), ""));
            all.ours.add(times.ours);
            all.limit.add(times.limit);
        }
        return all;
    }

    /** The share of the rate at which a backlog is drained, in a hundred transactions a second. */
    private static Pace load(Bench bench, OutboxDatabase database) throws Exception {
        try (OursRelay ours = OursRelay.open(bench.servers(), database)) {
            Comparison.Side drain = new Drains(bench, database, bench.scaled(DRAIN_EVENTS))
                    .ofBacklog(new Backlog(database), ours::drain);
            drain.measure();
            double rate = drain.measure();
            int events = (int) Math.max(1, rate * LOAD * LOAD_PERIOD.toMillis() / 1_000);
            bench.report().line("load: the drain rate is %s", Report.rate(rate));
            return new Pace(LOAD_PERIOD, bench.scaled(LOAD_TRANSACTIONS), events);
        }
    }

    /** What both sides are measured with. */
    private record Sides(Bench bench, OutboxDatabase database, OursRelay ours, CommitToAck commits) {

        Histogram ours(Pace pace) throws Exception {
            return times(pace, topic -> {
                ours.relay().start();
                return new Publishing(() -> {}, ours.relay()::stop);
            });
        }

        Histogram limit(Pace pace) throws Exception {
            return times(pace, topic -> {
                WakeUpLoop loop = new WakeUpLoop(bench.servers(), database, commits::acknowledged);
                loop.start();
                return new Publishing(loop::wake, loop);
            });
        }

        private Histogram times(Pace pace, Servers.TopicUse<Publishing> start) throws Exception {
            database.empty();
            database.settle();
            return bench.servers().withTopic(Map.of(), topic -> {
                Publishing publishing = start.with(topic);
                try (AutoCloseable stop = publishing.stop()) {
                    PacedWriter writer = new PacedWriter(ours.writer(), ours.transaction(), pace);
                    double rate = writer.write(topic, commits, publishing.wakeUp());
                    if (pace.events() > 1) {
                        bench.report().line("load: written %s", Report.rate(rate));
                    }
                    return commits.awaitAll();
                }
            });
        }
    }

    /** Something that publishes until it is stopped. */
    private record Publishing(Runnable wakeUp, AutoCloseable stop) {}

    /** The times of both sides, in nanoseconds. */
    private static final class Times {

        private final Histogram ours = new Histogram(3);
        private final Histogram limit = new Histogram(3);

        Summary addTo(Summary summary, String prefix) {
            return summary.millis(prefix + "p50", ours.getValueAtPercentile(50) / NANOS)
                    .millis(prefix + "p99", ours.getValueAtPercentile(99) / NANOS)
                    .millis(prefix + "limit_p50", limit.getValueAtPercentile(50) / NANOS)
                    .millis(prefix + "limit_p99", limit.getValueAtPercentile(99) / NANOS);
        }
    }
}
