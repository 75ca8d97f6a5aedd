package dev.outbox.benchmarks;

import dev.outbox.OutboxWriter;
import dev.outbox.benchmarks.Comparison.Side;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What an event costs the transaction that appends it. */
final class Append implements Scenario {

    private static final List<Integer> THREADS = List.of(1, 8, 16);
    private static final int MILLIS = 10_000;
    private static final String TOPIC = "orders";

    private static final String BUSINESS_TABLE = """
            CREATE TABLE benchmark_order (
                id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, number text NOT NULL, cents bigint NOT NULL,
                placed_at timestamptz NOT NULL DEFAULT now())
            """;

    @Override
    public String name() {
        return "append";
    }

    @Override
    public String description() {
        return "business row and append / business row and hand-written INSERT, with 1, 8 and 16 threads for 10 s";
    }

    @Override
    public Summary run(Bench bench) throws Exception {
        OutboxDatabase database = bench.servers().createDatabase();
        Map<String, String> pool = Map.of("spring.datasource.hikari.maximum-pool-size", "20");
        try (OursRelay ours = OursRelay.open(bench.servers(), database, pool)) {
            database.jdbc().sql(BUSINESS_TABLE).update();
            OutboxWriter outbox = ours.writer();
            HandWrittenInsert limit = new HandWrittenInsert(ours.jdbc());
            Map<Integer, Rates> all = new LinkedHashMap<>();
            for (int threads : THREADS) {
                all.put(
                        threads,
                        bench.compare(
                                "%d threads".formatted(threads),
                                side(
                                        bench,
                                        database,
                                        ours,
                                        threads,
                                        number -> outbox.append(Orders.event(TOPIC, number))),
                                side(bench, database, ours, threads, number -> limit.insert(TOPIC, number))));
            }
            return summary(all);
        }
    }

    /** Leads with the worst. */
    private Summary summary(Map<Integer, Rates> all) {
        Summary summary = Summary.of(name(), Collections.min(all.values(), Comparator.comparing(Rates::ratio)));
        for (Map.Entry<Integer, Rates> one : all.entrySet()) {
            summary = summary.ratio("ratio_" + one.getKey(), one.getValue().ratio());
        }
        return summary;
    }

    private static Side side(Bench bench, OutboxDatabase database, OursRelay ours, int threads, IntConsumer outboxRow) {
        JdbcClient jdbc = ours.jdbc();
        Transactions transactions = new Transactions(
                threads,
                number -> ours.transaction().executeWithoutResult(status -> {
                    jdbc.sql("INSERT INTO benchmark_order (number, cents) VALUES (?, ?)")
                            .params(Orders.id(number), 100L + number)
                            .update();
                    outboxRow.accept(number);
                }));
        return () -> {
            database.empty();
            database.jdbc().sql("TRUNCATE benchmark_order").update();
            database.settle();
            return transactions.perSecond(bench.scaled(MILLIS));
        };
    }
}
