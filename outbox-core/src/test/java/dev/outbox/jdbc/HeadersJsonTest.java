package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class HeadersJsonTest {

    private final HeadersJson json = new HeadersJson();

    @Test
    void readsWhatItWrote() {
        Map<String, String> headers =
                Map.of("traceparent", "00-aa-bb-01", "quote\"", "back\\slash\n\t\u0001", "ä😀", "", "a b", "{\"x\":1}");

        assertThat(json.read(json.write(headers))).isEqualTo(headers);
    }

    @Test
    void noHeadersAreAnEmptyObject() {
        assertThat(json.write(Map.of())).isEqualTo("{}");
        assertThat(json.read("{}")).isEmpty();
    }

    @Test
    void readsWhatTheDatabaseMadeOfIt() {
        assertThat(json.read("{\"a\": \"1\", \"b\": \"2\"}")).isEqualTo(Map.of("a", "1", "b", "2"));
    }
}
