package dev.outbox.inbox.kafka;

import dev.outbox.inbox.Admission;
import dev.outbox.inbox.Admissions;
import dev.outbox.inbox.AfterDeadLetter;
import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.DeadLetters;
import dev.outbox.inbox.IdempotentListener;
import dev.outbox.inbox.InboxListener;
import dev.outbox.inbox.OutsideWindow;
import dev.outbox.inbox.VersionPolicy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Finds what decides about the events of a listener, by its annotation. */
final class ListenerAdmissions {

    private final DeadLetters deadLetters;
    private final Duration retention;
    private final InstantSource databaseClock;
    private final InboxListener observer;
    private final List<Admissions> sources;

    /**
     * @param retention how long the inbox remembers events
     * @param databaseClock by which it forgets them
     * @param sources of further ones, among them those who know versions
     */
    ListenerAdmissions(
            DeadLetters deadLetters,
            Duration retention,
            InstantSource databaseClock,
            InboxListener observer,
            List<? extends Admissions> sources) {
        this.deadLetters = deadLetters;
        this.retention = retention;
        this.databaseClock = databaseClock;
        this.observer = observer;
        this.sources = List.copyOf(sources);
    }

    /**
     * Returns them in the order in which they are asked: what waits behind a dead letter does not come to the others.
     *
     * @param outsideWindow what is done with an event that the inbox may have forgotten
     * @throws IllegalStateException if the listener asks for what nothing here decides
     */
    List<Admission> of(ConsumerName consumer, IdempotentListener listener, OutsideWindow outsideWindow) {
        List<Admission> all = new ArrayList<>();
        if (listener.afterDeadLetter() == AfterDeadLetter.PARK_AGGREGATE) {
            all.add(deadLetters.parkAggregate());
        }
        all.add(new RetentionWindow(outsideWindow, retention, InstantSource.system(), databaseClock, observer));
        List<Admission> further = sources.stream()
                .flatMap(source -> source.of(consumer, listener).stream())
                .toList();
        if (listener.versions() != VersionPolicy.NONE && further.isEmpty()) {
            throw new IllegalStateException("Consumer '" + consumer + "' asks for versions = " + listener.versions()
                    + ", but its container factory has no admissions that know versions");
        }
        all.addAll(further);
        return all;
    }
}
