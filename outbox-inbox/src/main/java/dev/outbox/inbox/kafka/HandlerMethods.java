package dev.outbox.inbox.kafka;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.kafka.listener.adapter.KafkaMessageHandlerMethodFactory;
import org.springframework.kafka.support.SimpleKafkaHeaderMapper;
import org.springframework.kafka.support.converter.MessagingMessageConverter;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.handler.annotation.support.MessageHandlerMethodFactory;
import org.springframework.validation.Validator;

/** How the methods of idempotent listeners are called. The host's other listeners have a factory of their own. */
final class HandlerMethods {

    private HandlerMethods() {}

    static MessageHandlerMethodFactory create(
            PayloadConverter payloads,
            CloudEventHeaders envelope,
            @Nullable Validator validator,
            @Nullable BeanFactory beanFactory) {
        DefaultConversionService conversions = new DefaultConversionService();
        conversions.addConverter(byte[].class, String.class, bytes -> new String(bytes, StandardCharsets.UTF_8));
        KafkaMessageHandlerMethodFactory factory = new KafkaMessageHandlerMethodFactory();
        factory.setConversionService(conversions);
        factory.setMessageConverter(payloads);
        factory.setCustomArgumentResolvers(List.of(new EventMetadataArgumentResolver(envelope)));
        if (validator != null) {
            factory.setValidator(validator);
        }
        if (beanFactory != null) {
            factory.setBeanFactory(beanFactory);
        }
        factory.afterPropertiesSet();
        return factory;
    }

    /** Leaves the payload as bytes, so that neither logs nor errors on the way to the handler can show it. */
    static MessagingMessageConverter messages() {
        // Debezium writes a header "id", which spring-messaging reserves for an id of another type.
        SimpleKafkaHeaderMapper headers = SimpleKafkaHeaderMapper.forInboundOnlyWithMatchers(
                "!" + MessageHeaders.ID, "!" + MessageHeaders.TIMESTAMP, "*");
        MessagingMessageConverter messages = new MessagingMessageConverter();
        messages.setHeaderMapper(headers);
        messages.setRawRecordHeader(true);
        return messages;
    }
}
