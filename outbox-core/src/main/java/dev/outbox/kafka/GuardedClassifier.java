package dev.outbox.kafka;

import dev.outbox.OutboxRecord;
import dev.outbox.PublishFailure.Kind;
import dev.outbox.PublishFailureClassifier;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers whatever a classifier does: one of an application may fail too. */
final class GuardedClassifier implements PublishFailureClassifier {

    private static final Logger log = LoggerFactory.getLogger(GuardedClassifier.class);

    private final PublishFailureClassifier classifier;
    private final Set<Class<?>> logged = ConcurrentHashMap.newKeySet();

    GuardedClassifier(PublishFailureClassifier classifier) {
        this.classifier = classifier;
    }

    @Override
    @SuppressWarnings("ConstantConditions") // an application's classifier may be without null checks
    public Kind classify(OutboxRecord event, Exception cause) {
        try {
            Kind kind = classifier.classify(event, cause);
            if (kind != null) {
                return kind;
            }
            failed(new NullPointerException("no answer"), cause);
        } catch (RuntimeException e) {
            failed(e, cause);
        }
        return Kind.TRANSIENT;
    }

    private void failed(RuntimeException failure, Exception cause) {
        if (logged.add(failure.getClass())) {
            log.error(
                    "{} failed to classify a {}; this counts as a failure of the record and is logged once",
                    classifier.getClass().getName(),
                    cause.getClass().getName(),
                    failure);
        }
    }
}
