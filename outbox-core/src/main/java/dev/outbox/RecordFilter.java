package dev.outbox;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which records a decision is about, and at most how many. Every criterion that is given must hold; without any, the
 * filter matches all.
 */
public final class RecordFilter {

    /** How many records a decision may meet unless {@link Builder#atMost} says otherwise. */
    public static final int DEFAULT_AT_MOST = 10_000;

    /** The largest value of {@link Builder#atMost}. */
    public static final int MAX_AT_MOST = 1_000_000;

    /** The most seqs that a filter names. */
    public static final int MAX_SEQS = 10_000;

    /** Matches every record. */
    public static final RecordFilter ALL = builder().build();

    private final List<Long> seqs;
    private final @Nullable Aggregate aggregate;
    private final @Nullable String topic;
    private final @Nullable String eventType;
    private final @Nullable TimeRange appended;
    private final @Nullable TimeRange published;
    private final int atMost;

    private RecordFilter(Builder parts) {
        seqs = parts.seqs;
        aggregate = parts.aggregate;
        topic = parts.topic;
        eventType = parts.eventType;
        appended = parts.appended;
        published = parts.published;
        atMost = parts.atMost;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** The records with these seqs. */
    public static RecordFilter ofSeqs(Long... seqs) {
        return builder().seqs(List.of(seqs)).build();
    }

    /** Whether no criterion was given. */
    public boolean matchesAll() {
        return seqs.isEmpty()
                && aggregate == null
                && topic == null
                && eventType == null
                && appended == null
                && published == null;
    }

    /** The seqs, ascending; empty when they don't matter. */
    public List<Long> seqs() {
        return seqs;
    }

    public @Nullable Aggregate aggregate() {
        return aggregate;
    }

    public @Nullable String topic() {
        return topic;
    }

    public @Nullable String eventType() {
        return eventType;
    }

    public @Nullable TimeRange appended() {
        return appended;
    }

    public @Nullable TimeRange published() {
        return published;
    }

    public int atMost() {
        return atMost;
    }

    /**
     * A time, by the database's clock.
     *
     * @param from its beginning
     * @param to its end, which no longer belongs to it
     */
    public record TimeRange(Instant from, Instant to) {

        private static final Instant FIRST = Instant.EPOCH;
        private static final Instant LAST = Instant.parse("9999-12-31T00:00:00Z");

        /**
         * @throws IllegalArgumentException if it is empty, or not between the years 1970 and 9999
         */
        public TimeRange {
            if (!from.isBefore(to) || from.isBefore(FIRST) || to.isAfter(LAST)) {
                throw new IllegalArgumentException("time range: from " + from + " to " + to
                        + ", must end after it begins, from " + FIRST + " to " + LAST);
            }
        }
    }

    /** Collects criteria. Not thread-safe. Each method throws {@link IllegalArgumentException} for what can't be. */
    public static final class Builder {

        private List<Long> seqs = List.of();
        private @Nullable Aggregate aggregate;
        private @Nullable String topic;
        private @Nullable String eventType;
        private @Nullable TimeRange appended;
        private @Nullable TimeRange published;
        private int atMost = DEFAULT_AT_MOST;

        private Builder() {}

        /** Only the records with these seqs: 1 to {@value RecordFilter#MAX_SEQS}. */
        public Builder seqs(Collection<Long> these) {
            if (these.isEmpty() || these.size() > MAX_SEQS) {
                throw new IllegalArgumentException("seqs: " + these.size() + ", from 1 to " + MAX_SEQS + " required");
            }
            seqs = List.copyOf(new TreeSet<>(these));
            return this;
        }

        /** Only the records of this aggregate. */
        public Builder aggregate(String type, String id) {
            StorableText.require("aggregateType", type, AppendLimits.MAX_NAME_LENGTH);
            StorableText.require("aggregateId", id, AppendLimits.MAX_AGGREGATE_ID_LENGTH);
            aggregate = new Aggregate(type, id, null);
            return this;
        }

        /** Only the records for this topic. */
        public Builder topic(String name) {
            StorableText.require("topic", name, AppendLimits.MAX_TOPIC_LENGTH);
            topic = name;
            return this;
        }

        /** Only the records of this type, in any schema version. */
        public Builder eventType(String name) {
            StorableText.require("eventType", name, AppendLimits.MAX_NAME_LENGTH);
            eventType = name;
            return this;
        }

        /** Only what was appended at or after {@code from} and before {@code to}, by the database's clock. */
        public Builder appendedBetween(Instant from, Instant to) {
            appended = new TimeRange(from, to);
            return this;
        }

        /**
         * Only what was published at or after {@code from} and before {@code to}, by the database's clock. Only for {@link
         * OutboxOperations#republish}: parked records were never published.
         */
        public Builder publishedBetween(Instant from, Instant to) {
            published = new TimeRange(from, to);
            return this;
        }

        /** More matches are refused before anything is written. 1 to {@value RecordFilter#MAX_AT_MOST}. */
        public Builder atMost(int records) {
            if (records < 1 || records > MAX_AT_MOST) {
                throw new IllegalArgumentException(
                        "atMost: " + records + " records, from 1 to " + MAX_AT_MOST + " allowed");
            }
            atMost = records;
            return this;
        }

        public RecordFilter build() {
            return new RecordFilter(this);
        }
    }
}
