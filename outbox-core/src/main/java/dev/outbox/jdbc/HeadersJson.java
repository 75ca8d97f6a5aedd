package dev.outbox.jdbc;

import java.util.Map;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Headers as they stand in the {@code headers} column: a JSON object of strings. */
final class HeadersJson {

    private static final TypeReference<Map<String, String>> STRINGS = new TypeReference<>() {};

    private final JsonMapper mapper = JsonMapper.builder().build();

    String write(Map<String, String> headers) {
        return headers.isEmpty() ? "{}" : mapper.writeValueAsString(headers);
    }

    Map<String, String> read(String json) {
        return json.equals("{}") ? Map.of() : mapper.readValue(json, STRINGS);
    }
}
