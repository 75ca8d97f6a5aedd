package dev.outbox.autoconfigure;

import dev.outbox.OutboxEvent;
import dev.outbox.OutboxWriter;
import java.util.function.Supplier;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.core.ResolvableType;

/**
 * Appends annotated records that the application publishes as application events, on the publishing thread and at once, so
 * that they belong to its transaction and a failure reaches the publisher.
 */
class PublishedEventAppender implements GenericApplicationListener {

    private final Supplier<OutboxWriter> writer;

    PublishedEventAppender(Supplier<OutboxWriter> writer) {
        this.writer = writer;
    }

    @Override
    public boolean supportsEventType(ResolvableType eventType) {
        Class<?> payload =
                eventType.as(PayloadApplicationEvent.class).getGeneric().resolve();
        return payload != null && payload.isAnnotationPresent(OutboxEvent.class);
    }

    @Override
    public boolean supportsAsyncExecution() {
        return false;
    }

    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        if (event instanceof PayloadApplicationEvent<?> published) {
            writer.get().append(published.getPayload());
        }
    }
}
