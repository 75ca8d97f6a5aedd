package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.AuditEntry;
import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.DeadLetter;
import dev.outbox.inbox.DeadLetterFilter;
import dev.outbox.inbox.Decision;
import dev.outbox.inbox.DecisionResult;
import dev.outbox.inbox.InboxOperations;
import dev.outbox.inbox.LocalConsumer;
import dev.outbox.inbox.LocalConsumers;
import dev.outbox.inbox.ReceivedEvent;
import dev.outbox.inbox.TooManyDeadLettersException;
import dev.outbox.inbox.jdbc.DeadLetterRows.Place;
import dev.outbox.inbox.jdbc.DeadLetterRows.StoredLetter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What operators decide about the dead letters in PostgreSQL. Thread-safe. */
final class JdbcInboxOperations implements InboxOperations {

    private final OperatorTransactions transactions;
    private final DeadLetterSearch search;
    private final LetterDecisions letters;
    private final Redrive redrive;
    private final LocalConsumers consumers;

    JdbcInboxOperations(
            OperatorTransactions transactions,
            DeadLetterSearch search,
            LetterDecisions letters,
            Redrive redrive,
            LocalConsumers consumers) {
        this.transactions = transactions;
        this.search = search;
        this.letters = letters;
        this.redrive = redrive;
        this.consumers = consumers;
    }

    @Override
    public List<DeadLetter> deadLetters(DeadLetterFilter filter, long after, int limit) {
        return search.list(filter, after, page(limit));
    }

    @Override
    public DecisionResult redrive(DeadLetterFilter filter, Decision decision) {
        List<DeadLetterSearch.Found> found = find("redrive", filter, true);
        found.forEach(letter -> consumers.get(letter.consumer()));
        Tally tally = new Tally();
        found.forEach(letter -> redrive.run(letter.id(), decision, tally));
        return tally.result();
    }

    @Override
    public DecisionResult previewRedrive(DeadLetterFilter filter) {
        return search.preview(filter, true);
    }

    @Override
    public DecisionResult discard(DeadLetterFilter filter, Decision decision) {
        requireCriterion(filter);
        Tally tally = new Tally();
        Set<Long> discarded = new LinkedHashSet<>();
        Set<Long> released = new LinkedHashSet<>();
        for (DeadLetterSearch.Found letter : find("discard", filter, false)) {
            Discarded done = transactions.inNew(() -> discard(letter.id(), decision));
            if (done == null) {
                tally.passedOver();
                continue;
            }
            tally.changed(letter.id());
            discarded.add(letter.id());
            if (consumers.contains(letter.consumer())) {
                done.next.ifPresent(released::add);
            }
        }
        released.removeAll(discarded);
        released.forEach(next -> redrive.run(next, decision, tally));
        return tally.result();
    }

    private @Nullable Discarded discard(long id, Decision decision) {
        Place place = letters.find(id).orElse(null);
        if (place == null) {
            return null;
        }
        return letters.lockForDiscard(id, place)
                .map(letter -> {
                    letters.renew(place, letter);
                    tell(place.consumer(), letter);
                    return new Discarded(letters.decide(id, place, LetterDecisions.Action.DISCARD, decision));
                })
                .orElse(null);
    }

    /** Only a consumer that is here knows whether later versions wait for this one. */
    private void tell(ConsumerName name, StoredLetter letter) {
        if (!consumers.contains(name)) {
            return;
        }
        LocalConsumer consumer = consumers.get(name);
        ReceivedEvent event;
        try {
            event = consumer.read(letter.record());
        } catch (RuntimeException e) {
            // Whoever cannot read it waits for nothing of it.
            return;
        }
        consumer.discarded(event);
    }

    @Override
    public DecisionResult previewDiscard(DeadLetterFilter filter) {
        requireCriterion(filter);
        return search.preview(filter, false);
    }

    @Override
    public List<AuditEntry> audit(long before, int limit) {
        return transactions.inNew(() -> transactions.audit().read(before, page(limit)));
    }

    private List<DeadLetterSearch.Found> find(String action, DeadLetterFilter filter, boolean deadOnly) {
        List<DeadLetterSearch.Found> found = search.find(filter, deadOnly, filter.atMost() + 1L);
        if (found.size() > filter.atMost()) {
            throw new TooManyDeadLettersException(action, filter.atMost());
        }
        return found;
    }

    private static void requireCriterion(DeadLetterFilter filter) {
        if (filter.matchesAll()) {
            throw new IllegalArgumentException(
                    "discard: the filter has no criterion and would match every dead letter");
        }
    }

    private static int page(int limit) {
        if (limit < 1 || limit > MAX_PAGE) {
            throw new IllegalArgumentException("limit: " + limit + " entries, from 1 to " + MAX_PAGE + " allowed");
        }
        return limit;
    }

    /**
     * A letter was discarded.
     *
     * @param next the one that waited behind it and is dead now
     */
    private record Discarded(Optional<Long> next) {}
}
