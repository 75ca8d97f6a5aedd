package dev.outbox.inbox.kafka;

import dev.outbox.inbox.Admission;
import dev.outbox.inbox.Admissions;
import dev.outbox.inbox.AfterDeadLetter;
import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.DeadLetters;
import dev.outbox.inbox.IdempotentListener;
import dev.outbox.inbox.InboxListener;
import dev.outbox.inbox.InboxSettings;
import dev.outbox.inbox.OutsideWindow;
import dev.outbox.inbox.VersionPolicy;
import dev.outbox.inbox.WindowSettings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds what decides about the events of a listener, by its annotation. */
final class ListenerAdmissions {

    private final DeadLetters deadLetters;
    private final WindowSettings window;
    private final Duration retention;
    private final InstantSource databaseClock;
    private final InboxListener observer;
    private final List<Admissions> sources;

    /**
     * @param settings which say how long the inbox remembers events, and what is done with those it may have forgotten
     * @param databaseClock by which it forgets them
     * @param sources of further ones, among them those who know versions
     */
    ListenerAdmissions(
            DeadLetters deadLetters,
            InboxSettings settings,
            InstantSource databaseClock,
            InboxListener observer,
            List<? extends Admissions> sources) {
        this.deadLetters = deadLetters;
        this.window = settings.window();
        this.retention = settings.purge().retention();
        this.databaseClock = databaseClock;
        this.observer = observer;
        this.sources = List.copyOf(sources);
    }

    /**
     * Returns them in the order in which they are asked: what waits behind a dead letter does not come to the others.
     *
     * @throws IllegalStateException if the listener asks for what cannot be, or nothing here decides
     */
    List<Admission> of(ConsumerName consumer, @Nullable IdempotentListener listener) {
        List<Admission> all = new ArrayList<>();
        if (parksAggregates(listener)) {
            all.add(deadLetters.parkAggregate());
        }
        all.add(new RetentionWindow(
                outsideWindow(consumer, listener), retention, InstantSource.system(), databaseClock, observer));
        if (listener != null) {
            all.addAll(further(consumer, listener));
        }
        return all;
    }

    /** Whether the events of an aggregate wait behind a dead letter of it. */
    static boolean parksAggregates(@Nullable IdempotentListener listener) {
        return listener != null && listener.afterDeadLetter() == AfterDeadLetter.PARK_AGGREGATE;
    }

    /** Returns the listener's policy for events outside the window. */
    OutsideWindow outsideWindow(ConsumerName consumer, @Nullable IdempotentListener listener) {
        if (listener == null || listener.outsideWindow().length == 0) {
            return window.outside();
        }
        if (listener.outsideWindow().length > 1) {
            throw new IllegalStateException("The idempotent listener '" + consumer + "' has "
                    + listener.outsideWindow().length + " policies in outsideWindow; leave one");
        }
        return listener.outsideWindow()[0];
    }

    private List<Admission> further(ConsumerName consumer, IdempotentListener listener) {
        List<Admission> further = sources.stream()
                .flatMap(source -> source.of(consumer, listener).stream())
                .toList();
        if (listener.versions() != VersionPolicy.NONE && further.isEmpty()) {
            throw new IllegalStateException("Consumer '" + consumer + "' asks for versions = " + listener.versions()
                    + ", but its container factory has no admissions that know versions");
        }
        return further;
    }
}
