package dev.outbox;

/** A decision would have met more records than its filter allows; nothing was written. */
public class TooManyRecordsException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final int limit;

    /**
     * @param action what was to be done: {@code re-publish}
     * @param limit the filter's limit
     */
    public TooManyRecordsException(String action, int limit) {
        super(action + ": more than " + limit + " records match, at most " + limit
                + " allowed by atMost of the filter. Nothing was changed; a preview counts them all");
        this.limit = limit;
    }

    /** The filter's limit. */
    public int limit() {
        return limit;
    }
}
