package dev.outbox.autoconfigure;

import dev.outbox.inbox.ConsumerNameClashException;
import dev.outbox.inbox.kafka.ConflictingConsumerSettingException;
import dev.outbox.kafka.WeakProducerSettingException;
import dev.outbox.postgresql.SchemaException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Turns the mistakes that people make into a description and an action. */
class OutboxFailureAnalyzer extends AbstractFailureAnalyzer<RuntimeException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, RuntimeException cause) {
        InvalidOutboxPropertyException property = findCause(rootFailure, InvalidOutboxPropertyException.class);
        if (property != null) {
            return analysis(property, "Correct the properties that begin with " + property.prefix() + ".");
        }
        WeakProducerSettingException weak = findCause(rootFailure, WeakProducerSettingException.class);
        if (weak != null) {
            return analysis(
                    weak,
                    "Remove " + weak.setting() + " from outbox.kafka.properties and from spring.kafka.properties. The"
                            + " application's own producers keep theirs under spring.kafka.producer.");
        }
        ConflictingConsumerSettingException consumer =
                findCause(rootFailure, ConflictingConsumerSettingException.class);
        if (consumer != null) {
            return analysis(
                    consumer,
                    "Remove " + consumer.setting()
                            + " from spring.kafka.consumer and from the listener's properties. If"
                            + " other listeners of the application need it, set outbox.inbox.kafka.properties."
                            + consumer.setting() + "=" + consumer.required()
                            + ", which overrules it for idempotent listeners alone.");
        }
        ConsumerNameClashException name = findCause(rootFailure, ConsumerNameClashException.class);
        if (name != null) {
            return analysis(
                    name,
                    "Change @IdempotentListener(consumer = …) of the newer listener, or its groupId if both are instances of"
                            + " one service. After renaming a group on purpose set outbox.inbox.renamed-groups["
                            + name.consumer() + "]=" + name.otherGroup() + ".");
        }
        SchemaException schema = findCause(rootFailure, SchemaException.class);
        if (schema != null) {
            return analysis(
                    schema,
                    "The schema mode is the property outbox.schema.mode (migrate, validate or none), for the inbox"
                            + " outbox.inbox.schema.mode. Schema and table names, and the layout, come from the properties"
                            + " beside it.");
        }
        return null;
    }

    private static FailureAnalysis analysis(RuntimeException failure, String action) {
        return new FailureAnalysis(failure.getMessage(), action, failure);
    }
}
