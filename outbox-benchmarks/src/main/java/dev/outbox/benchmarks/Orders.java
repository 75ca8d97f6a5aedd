package dev.outbox.benchmarks;

import dev.outbox.Event;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;

/** The business of all scenarios: orders with numbers from 0 to {@link #HOT}. */
final class Orders {

    /** The orders that events are drawn of. */
    static final int COUNT = 10_000;

    /** One more, which no draw hits. */
    static final int HOT = COUNT;

    static final String AGGREGATE_TYPE = "order";

    static final String EVENT_TYPE = "order.changed";

    static final String CONTENT_TYPE = "application/json";

    /** Bytes of a payload. */
    static final int PAYLOAD_SIZE = 300;

    private static final int RANDOM_BYTES = 105;

    /* Made once, because it costs more than sending them. */
    private static final List<String> IDS = IntStream.rangeClosed(0, HOT)
            .mapToObj(number -> String.format(Locale.ROOT, "order-%06d", number))
            .toList();
    private static final List<byte[]> PAYLOADS = IntStream.rangeClosed(0, HOT)
            .mapToObj(Orders::json)
            .map(json -> json.getBytes(StandardCharsets.UTF_8))
            .toList();

    private Orders() {}

    static String id(int number) {
        return IDS.get(number);
    }

    /** JSON of 300 bytes, two thirds of which are random, always the same for one number. */
    static byte[] payload(int number) {
        return PAYLOADS.get(number);
    }

    /** An event of the order as the business would append it. */
    static Event event(String topic, int number) {
        return Event.builder()
                .topic(topic)
                .type(EVENT_TYPE)
                .aggregate(AGGREGATE_TYPE, id(number))
                .payload(payload(number), CONTENT_TYPE)
                .build();
    }

    private static String json(int number) {
        byte[] random = new byte[RANDOM_BYTES];
        new Random(number).nextBytes(random);
        String json = "{\"order\":\"" + id(number) + "\",\"customer\":\"customer-" + number * 7L % COUNT
                + "\",\"cents\":" + (100 + number) + ",\"reference\":\""
                + HexFormat.of().formatHex(random) + "\"}";
        return json + " ".repeat(PAYLOAD_SIZE - json.length());
    }
}
