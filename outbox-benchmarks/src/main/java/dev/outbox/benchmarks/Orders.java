package dev.outbox.benchmarks;

import java.util.HexFormat;
import java.util.Random;

/** The business of all scenarios. */
final class Orders {

    static final String AGGREGATE_TYPE = "order";

    static final String EVENT_TYPE = "order.changed";

    /** Bytes of a payload. */
    static final int PAYLOAD_SIZE = 300;

    private static final int RANDOM_BYTES = 105;

    private Orders() {}

    static String id(int number) {
        return "order-%06d".formatted(number);
    }

    /** JSON of 300 bytes, two thirds of which are random, always the same for one number. */
    static String json(int number) {
        byte[] random = new byte[RANDOM_BYTES];
        new Random(number).nextBytes(random);
        String json = "{\"order\":\"%s\",\"customer\":\"customer-%05d\",\"cents\":%d,\"reference\":\"%s\"}"
                .formatted(
                        id(number),
                        number * 7 % 100_000,
                        100 + number,
                        HexFormat.of().formatHex(random));
        return json + " ".repeat(PAYLOAD_SIZE - json.length());
    }
}
