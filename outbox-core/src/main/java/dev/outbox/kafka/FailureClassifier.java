package dev.outbox.kafka;

import dev.outbox.PublishFailure;
import dev.outbox.PublishFailure.Kind;
import java.util.List;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SerializationException;

/** Sorts what Kafka says of a record that was not acknowledged, whether {@code send} threw it or the callback got it. */
final class FailureClassifier {

    /** They speak of the record itself. */
    private static final List<Class<? extends Exception>> PERMANENT = List.of(
            RecordTooLargeException.class,
            RecordBatchTooLargeException.class,
            InvalidTopicException.class,
            InvalidRecordException.class,
            SerializationException.class,
            PolicyViolationException.class);

    /** They speak of the topic, the broker, the connection, or this machine's clock. */
    private static final List<Class<? extends Exception>> UNAVAILABLE = List.of(
            RetriableException.class,
            AuthorizationException.class,
            AuthenticationException.class,
            InterruptException.class,
            InvalidTimestampException.class);

    private FailureClassifier() {}

    static PublishFailure classify(Exception cause) {
        return new PublishFailure(kind(cause), cause);
    }

    private static Kind kind(Exception cause) {
        if (isAny(PERMANENT, cause)) {
            return Kind.PERMANENT;
        }
        return isAny(UNAVAILABLE, cause) ? Kind.UNAVAILABLE : Kind.TRANSIENT;
    }

    private static boolean isAny(List<Class<? extends Exception>> types, Exception cause) {
        return types.stream().anyMatch(type -> type.isInstance(cause));
    }
}
