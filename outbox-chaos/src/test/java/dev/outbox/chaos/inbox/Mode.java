package dev.outbox.chaos.inbox;

import java.util.Locale;

/** How a listener consumes; each has one listener, with a name and a group of its own. */
enum Mode {

    /** One transaction for each record. */
    RECORD,

    /** One transaction for each poll. */
    BATCH,

    /** The aggregates of a poll on several threads. */
    PARALLEL,

    /** Without an inbox, and wrong in every way. */
    PLANTED;

    /** The consumer's name, which is that of its group. */
    String consumer() {
        return "chaos-" + name().toLowerCase(Locale.ROOT);
    }

    /** The property that gives an instance the listener. */
    String property() {
        return "chaos.listener." + name().toLowerCase(Locale.ROOT);
    }
}
