package dev.outbox.benchmarks;

import dev.outbox.benchmarks.Comparison.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Whether three instances get in each other's way. */
final class RelayDrainThree implements Scenario {

    private static final String HEAP = "512m";

    /* All begin at about the same time when the pause ends. */
    private static final Map<String, String> LOOK_OFTEN =
            Map.of("outbox.relay.polling.min-interval", "20ms", "outbox.relay.polling.max-interval", "20ms");

    @Override
    public String name() {
        return "relay-drain-3";
    }

    @Override
    public String description() {
        return "backlog of 500,000, three instances in JVMs of their own / one";
    }

    @Override
    public Summary run(Bench bench) throws Exception {
        int events = bench.scaled(RelayDrain.EVENTS);
        List<Double> leastShares = new ArrayList<>();
        try (Fleet three = Fleet.start(bench.servers(), 3, LOOK_OFTEN, HEAP);
                Fleet one = Fleet.start(bench.servers(), 1, LOOK_OFTEN, HEAP)) {
            Side ours = () -> {
                List<Long> before = three.published();
                double rate = three.drain(bench, events);
                List<Long> after = three.awaitPublished(before, events);
                double[] shares = IntStream.range(0, after.size())
                        .mapToDouble(instance -> (double) (after.get(instance) - before.get(instance)) / events)
                        .toArray();
                bench.report().line("shares: %.2f %.2f %.2f", shares[0], shares[1], shares[2]);
                leastShares.add(IntStream.range(0, shares.length)
                        .mapToDouble(instance -> shares[instance])
                        .min()
                        .orElseThrow());
                return rate;
            };
            Rates rates = bench.compare(name(), ours, () -> one.drain(bench, events));
            // The first one was the warm-up's.
            double least = leastShares.stream().skip(1).min(Double::compare).orElseThrow();
            return Summary.of(name(), rates).ratio("least_share", least);
        }
    }
}
