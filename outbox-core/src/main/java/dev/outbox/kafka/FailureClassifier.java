package dev.outbox.kafka;

import dev.outbox.OutboxRecord;
import dev.outbox.PublishFailure.Kind;
import dev.outbox.PublishFailureClassifier;
import java.util.List;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.ApplicationRecoverableException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TransactionAbortableException;
import org.apache.kafka.common.errors.TransactionAbortedException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** Sorts what Kafka says of a record that was not acknowledged, whether {@code send} threw it or the callback got it. */
final class FailureClassifier implements PublishFailureClassifier {

    /** They speak of the record itself. */
    private static final List<Class<? extends Exception>> PERMANENT = List.of(
            RecordTooLargeException.class,
            RecordBatchTooLargeException.class,
            InvalidTopicException.class,
            InvalidRecordException.class,
            SerializationException.class,
            PolicyViolationException.class);

    /** They speak of the topic, the broker, the connection, the producer's state, or this machine's clock. */
    private static final List<Class<? extends Exception>> UNAVAILABLE = List.of(
            RetriableException.class,
            AuthorizationException.class,
            AuthenticationException.class,
            InterruptException.class,
            InvalidTimestampException.class,
            ApplicationRecoverableException.class,
            OutOfOrderSequenceException.class,
            InvalidTxnStateException.class,
            TransactionAbortableException.class,
            TransactionAbortedException.class,
            UnsupportedVersionException.class);

    @Override
    public Kind classify(OutboxRecord event, Exception cause) {
        if (isAny(PERMANENT, cause)) {
            return Kind.PERMANENT;
        }
        return isAny(UNAVAILABLE, cause) ? Kind.UNAVAILABLE : Kind.TRANSIENT;
    }

    private static boolean isAny(List<Class<? extends Exception>> types, Exception cause) {
        return types.stream().anyMatch(type -> type.isInstance(cause));
    }
}
