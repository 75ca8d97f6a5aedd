package dev.outbox.autoconfigure;

import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;

/** The instance appends or publishes: a service that only consumes needs no outbox tables. */
class OnOutboxInUse extends AnyNestedCondition {

    OnOutboxInUse() {
        super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnBooleanProperty(name = "outbox.append.enabled", matchIfMissing = true)
    static class Appends {}

    @ConditionalOnBooleanProperty(name = "outbox.relay.enabled", matchIfMissing = true)
    static class Publishes {}
}
