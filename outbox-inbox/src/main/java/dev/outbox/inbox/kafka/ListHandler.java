package dev.outbox.inbox.kafka;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.ReceivedEvent;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.config.MethodKafkaListenerEndpoint;
import org.springframework.kafka.listener.ListenerExecutionFailedException;
import org.springframework.messaging.handler.annotation.support.DefaultMessageHandlerMethodFactory;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;
import org.springframework.messaging.support.MessageBuilder;

/** Calls a method once with all events. */
final class ListHandler implements EventHandler {

    private final InvocableHandlerMethod method;

    ListHandler(ConsumerName consumer, MethodKafkaListenerEndpoint<?, ?> listener, PayloadConverter payloads) {
        DefaultMessageHandlerMethodFactory methods = new DefaultMessageHandlerMethodFactory();
        methods.setCustomArgumentResolvers(List.of(new EventListArguments(consumer, payloads)));
        methods.afterPropertiesSet();
        this.method = methods.createInvocableHandlerMethod(listener.getBean(), listener.getMethod());
    }

    @Override
    public void handle(List<ReceivedEvent> events, @Nullable Consumer<?, ?> consumer) {
        try {
            method.invoke(MessageBuilder.withPayload(new EventListArguments.EventList(events))
                    .build());
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new ListenerExecutionFailedException("The listener method threw a checked exception", e);
        }
    }
}
