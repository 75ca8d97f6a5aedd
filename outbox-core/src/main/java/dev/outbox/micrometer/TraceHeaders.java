package dev.outbox.micrometer;

import dev.outbox.HeaderContributor;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Stores the caller's trace context with the event ({@code traceparent} and whatever else the application's propagator
 * writes), so that the record carries it whenever and by whomever it is published.
 */
public final class TraceHeaders implements HeaderContributor {

    private final Tracer tracer;
    private final Propagator propagator;

    public TraceHeaders(Tracer tracer, Propagator propagator) {
        this.tracer = tracer;
        this.propagator = propagator;
    }

    @Override
    public Map<String, String> headers() {
        Span span = tracer.currentSpan();
        if (span == null) {
            return Map.of();
        }
        Map<String, String> headers = new HashMap<>();
        propagator.inject(
                span.context(),
                headers,
                (carrier, name, value) -> Objects.requireNonNull(carrier).put(name, value));
        return headers;
    }
}
