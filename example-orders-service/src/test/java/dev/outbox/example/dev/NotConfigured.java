package dev.outbox.example.dev;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches when a property, be it one value or a list, has none. */
abstract class NotConfigured implements Condition {

    private final String property;

    private NotConfigured(String property) {
        this.property = property;
    }

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        return !Binder.get(context.getEnvironment())
                .bind(property, Bindable.listOf(String.class))
                .isBound();
    }

    static class Database extends NotConfigured {
        Database() {
            super("spring.datasource.url");
        }
    }

    static class Broker extends NotConfigured {
        Broker() {
            super("spring.kafka.bootstrap-servers");
        }
    }
}
