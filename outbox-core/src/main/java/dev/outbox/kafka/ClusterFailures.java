package dev.outbox.kafka;

import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.ApplicationRecoverableException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TransactionAbortableException;
import org.apache.kafka.common.errors.TransactionAbortedException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** Which failures are more than a record's or a topic's. */
final class ClusterFailures {

    private ClusterFailures() {}

    /** Whether it stops every topic. */
    static boolean isClusterWide(Exception cause) {
        return cause instanceof AuthenticationException || cause instanceof ClusterAuthorizationException;
    }

    /** Whether one broker or all of them may be silent. A missing topic is a timeout too, but has a cause that says so. */
    static boolean isAmbiguous(Exception cause) {
        boolean silence = cause instanceof TimeoutException
                || cause instanceof DisconnectException
                || cause instanceof NetworkException;
        return silence && !(cause.getCause() instanceof ApiException);
    }

    /**
     * Whether the producer can't send any more: {@code TransactionManager} of the client enters its fatal state for these
     * (an idempotent producer recovers from sequence errors by itself).
     */
    static boolean endsProducer(Throwable cause) {
        return cause instanceof ClusterAuthorizationException
                || cause instanceof TransactionalIdAuthorizationException
                || cause instanceof ProducerFencedException
                || cause instanceof InvalidProducerEpochException
                || cause instanceof InvalidPidMappingException
                || cause instanceof UnsupportedVersionException;
    }

    /** Whether {@code send} threw because of the producer's state; what a partitioner throws is the record's. */
    static boolean endsProducerAtOnce(RuntimeException thrown) {
        boolean failedBefore = thrown.getClass() == KafkaException.class && thrown.getCause() != null;
        return failedBefore || endsProducer(thrown);
    }

    /** Whether it is the state of the producer or of its transaction, and neither the record's nor the topic's. */
    static boolean isProducers(Exception cause) {
        return endsProducer(cause)
                || cause instanceof ApplicationRecoverableException
                || cause instanceof InvalidTxnStateException
                || cause instanceof OutOfOrderSequenceException;
    }

    /** Whether the record failed because another one of its batch or transaction did. */
    static boolean isAlongWithAnother(Exception cause) {
        return cause.getClass() == KafkaException.class
                || cause instanceof TransactionAbortableException
                || cause instanceof TransactionAbortedException;
    }
}
