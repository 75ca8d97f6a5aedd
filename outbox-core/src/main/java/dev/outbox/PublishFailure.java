package dev.outbox;

/**
 * Why a record was not acknowledged.
 *
 * @param kind what follows from it
 * @param cause what the broker or the client said
 */
public record PublishFailure(Kind kind, Exception cause) {

    /** What follows from a failure. */
    public enum Kind {

        /** This record can never be published: it is parked at once. */
        PERMANENT,

        /** This record failed by itself and may succeed later: it costs an attempt. */
        TRANSIENT,

        /** The topic or the broker can't take records now: it costs no attempt and parks nothing. */
        UNAVAILABLE
    }
}
