package dev.outbox;

import java.util.Map;

/** Adds headers to every appended event, for example the trace context of the caller. */
@FunctionalInterface
public interface HeaderContributor {

    /** The headers to add; called on the application's thread at append. A header of the event itself wins. */
    Map<String, String> headers();
}
