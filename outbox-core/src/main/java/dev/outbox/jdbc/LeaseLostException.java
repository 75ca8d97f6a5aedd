package dev.outbox.jdbc;

/** Somebody else has taken a lane whose lease ran out; what is not written down will be published again, by others. */
final class LeaseLostException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    LeaseLostException(int held, int expected) {
        super("Only " + held + " of " + expected + " leases are still held; the others ran out and were taken over."
                + " The instance was stopped, or the database out of reach, for longer than the lease");
    }
}
