package dev.outbox.inbox.kafka;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Knows failures by the types that the application has listed. */
final class ListedFailures implements FailureClassifier {

    private final Map<Class<?>, FailureKind> kinds = new HashMap<>();

    ListedFailures(
            Collection<? extends Class<? extends Throwable>> transients,
            Collection<? extends Class<? extends Throwable>> permanents) {
        transients.forEach(type -> kinds.put(type, FailureKind.TRANSIENT));
        for (Class<?> type : permanents) {
            if (kinds.put(type, FailureKind.PERMANENT) == FailureKind.TRANSIENT) {
                throw new IllegalArgumentException(
                        type.getName() + " is listed as transient and as permanent; take it out of one of the lists");
            }
        }
    }

    @Override
    public @Nullable FailureKind classify(Throwable failure) {
        return CauseChain.of(failure).stream()
                .map(cause -> kindOf(cause.getClass()))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private @Nullable FailureKind kindOf(Class<?> thrown) {
        for (Class<?> type = thrown; type != null; type = type.getSuperclass()) {
            FailureKind kind = kinds.get(type);
            if (kind != null) {
                return kind;
            }
        }
        return null;
    }
}
