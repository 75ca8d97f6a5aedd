package dev.outbox.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import io.micrometer.tracing.test.simple.SimpleTracer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TraceHeadersTest {

    private final SimpleTracer tracer = new SimpleTracer();
    private final TraceHeaders headers = new TraceHeaders(tracer, new W3c());

    @Test
    void capturesTheContextOfTheCurrentSpan() {
        Span span = tracer.nextSpan().name("confirm order").start();
        try (Tracer.SpanInScope ignored = tracer.withSpan(span)) {
            assertThat(headers.headers())
                    .containsExactly(Map.entry(
                            "traceparent",
                            "00-" + span.context().traceId() + "-"
                                    + span.context().spanId() + "-01"));
        } finally {
            span.end();
        }
    }

    @Test
    void addsNothingWithoutASpan() {
        assertThat(headers.headers()).isEmpty();
    }

    /** Writes as the propagator of an application does. */
    private static final class W3c implements Propagator {

        @Override
        public List<String> fields() {
            return List.of("traceparent");
        }

        @Override
        public <C> void inject(TraceContext context, @Nullable C carrier, Setter<C> setter) {
            setter.set(carrier, "traceparent", "00-" + context.traceId() + "-" + context.spanId() + "-01");
        }

        @Override
        public <C> Span.Builder extract(@Nullable C carrier, Getter<C> getter) {
            throw new UnsupportedOperationException();
        }
    }
}
