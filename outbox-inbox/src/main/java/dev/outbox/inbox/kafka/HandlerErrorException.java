package dev.outbox.inbox.kafka;

/** A handler threw an {@link Error}, which would stop the container and with it every record behind this one. */
final class HandlerErrorException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    HandlerErrorException(Error cause) {
        super(cause.toString(), cause);
    }
}
