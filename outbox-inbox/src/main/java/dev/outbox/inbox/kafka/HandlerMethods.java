package dev.outbox.inbox.kafka;

import dev.outbox.inbox.ConsumerName;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.kafka.listener.adapter.KafkaMessageHandlerMethodFactory;
import org.springframework.messaging.handler.annotation.support.MessageHandlerMethodFactory;
import org.springframework.validation.Validator;

/** How the methods of idempotent listeners are called. The host's other listeners have a factory of their own. */
final class HandlerMethods {

    private HandlerMethods() {}

    static MessageHandlerMethodFactory create(
            ConsumerName consumer,
            PayloadConverter payloads,
            @Nullable Validator validator,
            @Nullable BeanFactory beanFactory) {
        DefaultConversionService conversions = new DefaultConversionService();
        conversions.addConverter(byte[].class, String.class, bytes -> new String(bytes, StandardCharsets.UTF_8));
        KafkaMessageHandlerMethodFactory factory = new KafkaMessageHandlerMethodFactory();
        factory.setConversionService(conversions);
        factory.setMessageConverter(payloads);
        // The last one takes every parameter.
        factory.setCustomArgumentResolvers(List.of(
                new EventMetadataArgumentResolver(),
                new IdempotencyKeyArgumentResolver(consumer),
                new PayloadArgumentResolver(payloads, validator)));
        if (validator != null) {
            factory.setValidator(validator);
        }
        if (beanFactory != null) {
            factory.setBeanFactory(beanFactory);
        }
        factory.afterPropertiesSet();
        return factory;
    }
}
