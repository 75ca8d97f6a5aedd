package dev.outbox.inbox.kafka;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the application's classifiers, then the built-in one, which always knows. */
final class ClassifierChain implements FailureClassifier {

    private static final Logger LOG = LoggerFactory.getLogger(ClassifierChain.class);

    private final List<FailureClassifier> classifiers;

    ClassifierChain(Collection<? extends FailureClassifier> own) {
        this.classifiers = new ArrayList<>(own);
        this.classifiers.add(new DatabaseAwareClassifier());
    }

    @Override
    public FailureKind classify(Throwable failure) {
        for (FailureClassifier classifier : classifiers) {
            FailureKind kind = ask(classifier, failure);
            if (kind != null) {
                return kind;
            }
        }
        return FailureKind.UNKNOWN;
    }

    private static @Nullable FailureKind ask(FailureClassifier classifier, Throwable failure) {
        try {
            return classifier.classify(failure);
        } catch (RuntimeException e) {
            LOG.warn("The failure classifier {} failed; the next one is asked", classifier, e);
            return null;
        }
    }
}
