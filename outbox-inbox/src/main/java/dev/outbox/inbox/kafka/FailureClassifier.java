package dev.outbox.inbox.kafka;

/** Decides what kind of failure an exception is. */
@FunctionalInterface
interface FailureClassifier {

    FailureKind classify(Throwable failure);
}
