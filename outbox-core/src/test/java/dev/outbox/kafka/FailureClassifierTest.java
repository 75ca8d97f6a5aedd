package dev.outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.PublishFailure.Kind;
import java.util.stream.Stream;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionAbortableException;
import org.apache.kafka.common.errors.UnknownServerException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FailureClassifierTest {

    @ParameterizedTest
    @MethodSource
    void whatSpeaksOfTheRecordIsPermanent(Exception cause) {
        assertKind(cause, Kind.PERMANENT);
    }

    static Stream<Exception> whatSpeaksOfTheRecordIsPermanent() {
        return Stream.of(
                new RecordTooLargeException("x"),
                new RecordBatchTooLargeException("x"),
                new InvalidTopicException("x"),
                new InvalidRecordException("x"),
                new SerializationException("x"),
                new PolicyViolationException("x"));
    }

    @ParameterizedTest
    @MethodSource
    void whatSpeaksOfTopicBrokerOrConnectionIsAnOutage(Exception cause) {
        assertKind(cause, Kind.UNAVAILABLE);
    }

    static Stream<Exception> whatSpeaksOfTopicBrokerOrConnectionIsAnOutage() {
        return Stream.of(
                new TimeoutException("x"),
                new InvalidTimestampException("x"),
                new DisconnectException("x"),
                new UnknownTopicOrPartitionException("x"),
                new NotLeaderOrFollowerException("x"),
                new NotEnoughReplicasException("x"),
                new NotEnoughReplicasAfterAppendException("x"),
                new TopicAuthorizationException("x"),
                new SaslAuthenticationException("x"),
                new ClusterAuthorizationException("x"),
                new OutOfOrderSequenceException("x"),
                new ProducerFencedException("x"),
                new InvalidPidMappingException("x"),
                new TransactionAbortableException("x"),
                new UnsupportedVersionException("x"),
                new InterruptException("x", new InterruptedException()));
    }

    @ParameterizedTest
    @MethodSource
    void anythingElseCostsAnAttempt(Exception cause) {
        assertKind(cause, Kind.TRANSIENT);
    }

    static Stream<Exception> anythingElseCostsAnAttempt() {
        return Stream.of(new UnknownServerException("x"), new KafkaException("x"), new IllegalStateException("x"));
    }

    private static void assertKind(Exception cause, Kind kind) {
        assertThat(KafkaEventPublisher.defaultClassifier()
                        .classify(Records.delivery("orders", "1").event(), cause))
                .isEqualTo(kind);
    }
}
