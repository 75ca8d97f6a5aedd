package dev.outbox.benchmarks;

import dev.outbox.Aggregate;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A table of the aggregates that backlogs are made of, with what {@link Aggregate} computes and a payload for each. */
final class AggregateTable {

    private static final String CREATE = """
            CREATE TABLE benchmark_aggregate (
                number integer PRIMARY KEY, id text NOT NULL UNIQUE, hash bigint NOT NULL, lane smallint NOT NULL,
                payload bytea NOT NULL)
            """;

    private static final String ROWS = """
            INSERT INTO benchmark_aggregate
            SELECT number, id, hash, lane, convert_to(payload, 'UTF8')
            FROM unnest(:numbers::integer[], :ids::text[], :hashes::bigint[], :lanes::smallint[], :payloads::text[])
                AS a (number, id, hash, lane, payload)
            """;

    private AggregateTable() {}

    static void create(JdbcClient jdbc) {
        List<Integer> numbers = IntStream.rangeClosed(0, Orders.HOT).boxed().toList();
        List<Aggregate> aggregates = numbers.stream()
                .map(number -> new Aggregate(Orders.AGGREGATE_TYPE, Orders.id(number), null))
                .toList();
        jdbc.sql(CREATE).update();
        jdbc.sql(ROWS)
                .param("numbers", numbers.toArray(Integer[]::new))
                .param("ids", aggregates.stream().map(Aggregate::id).toArray(String[]::new))
                .param("hashes", aggregates.stream().map(Aggregate::hash).toArray(Long[]::new))
                .param(
                        "lanes",
                        aggregates.stream()
                                .map(Aggregate::hash)
                                .map(Aggregate::lane)
                                .toArray(Integer[]::new))
                .param(
                        "payloads",
                        numbers.stream()
                                .map(number -> new String(Orders.payload(number), StandardCharsets.UTF_8))
                                .toArray(String[]::new))
                .update();
    }
}
