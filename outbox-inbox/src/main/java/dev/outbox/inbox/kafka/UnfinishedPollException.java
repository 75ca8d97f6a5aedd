package dev.outbox.inbox.kafka;

/** Not every record of a poll is done. */
final class UnfinishedPollException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient ParallelPoll poll;

    UnfinishedPollException(ParallelPoll poll) {
        super("Not every record of the poll is done");
        this.poll = poll;
    }

    ParallelPoll poll() {
        return poll;
    }
}
