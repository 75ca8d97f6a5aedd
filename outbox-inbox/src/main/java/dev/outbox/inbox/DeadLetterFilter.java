package dev.outbox.inbox;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which dead letters a decision is about, and at most how many. Every criterion that is given must hold; without any, the
 * filter matches all.
 */
public final class DeadLetterFilter {

    /** How many dead letters a decision may meet unless {@link Builder#atMost} says otherwise. */
    public static final int DEFAULT_AT_MOST = 10_000;

    /** The largest value of {@link Builder#atMost}. */
    public static final int MAX_AT_MOST = 1_000_000;

    /** The most ids that a filter names. */
    public static final int MAX_IDS = 10_000;

    /** Matches every dead letter. */
    public static final DeadLetterFilter ALL = builder().build();

    private final List<Long> ids;
    private final @Nullable ConsumerName consumer;
    private final @Nullable String topic;
    private final @Nullable String eventType;
    private final @Nullable Aggregate aggregate;
    private final @Nullable String causeType;
    private final @Nullable TimeRange failed;
    private final int atMost;

    private DeadLetterFilter(Builder parts) {
        ids = parts.ids;
        consumer = parts.consumer;
        topic = parts.topic;
        eventType = parts.eventType;
        aggregate = parts.aggregate;
        causeType = parts.causeType;
        failed = parts.failed;
        atMost = parts.atMost;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** The dead letters with these ids. */
    public static DeadLetterFilter ofIds(Long... ids) {
        return builder().ids(List.of(ids)).build();
    }

    /** Whether no criterion was given. */
    public boolean matchesAll() {
        return ids.isEmpty()
                && consumer == null
                && topic == null
                && eventType == null
                && aggregate == null
                && causeType == null
                && failed == null;
    }

    /** The ids, ascending; empty when they don't matter. */
    public List<Long> ids() {
        return ids;
    }

    public @Nullable ConsumerName consumer() {
        return consumer;
    }

    public @Nullable String topic() {
        return topic;
    }

    public @Nullable String eventType() {
        return eventType;
    }

    public @Nullable Aggregate aggregate() {
        return aggregate;
    }

    public @Nullable String causeType() {
        return causeType;
    }

    public @Nullable TimeRange failed() {
        return failed;
    }

    public int atMost() {
        return atMost;
    }

    /**
     * An aggregate as events name it.
     *
     * @param type null if they name none
     */
    public record Aggregate(@Nullable String type, String id) {}

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

        private List<Long> ids = List.of();
        private @Nullable ConsumerName consumer;
        private @Nullable String topic;
        private @Nullable String eventType;
        private @Nullable Aggregate aggregate;
        private @Nullable String causeType;
        private @Nullable TimeRange failed;
        private int atMost = DEFAULT_AT_MOST;

        private Builder() {}

        /** Only the dead letters with these ids: 1 to {@value DeadLetterFilter#MAX_IDS}. */
        public Builder ids(Collection<Long> these) {
            if (these.isEmpty() || these.size() > MAX_IDS) {
                throw new IllegalArgumentException("ids: " + these.size() + ", from 1 to " + MAX_IDS + " required");
            }
            ids = List.copyOf(new TreeSet<>(these));
            return this;
        }

        /** Only those of this consumer. */
        public Builder consumer(String name) {
            consumer = new ConsumerName(name);
            return this;
        }

        /** Only those that came from this topic. */
        public Builder topic(String name) {
            topic = FailureText.trim(name);
            return this;
        }

        /** Only the events of this type. */
        public Builder eventType(String name) {
            eventType = FailureText.trim(name);
            return this;
        }

        /**
         * Only the events of this aggregate.
         *
         * @param type null if the events name none
         */
        public Builder aggregate(@Nullable String type, String id) {
            aggregate = new Aggregate(type, id);
            return this;
        }

        /** Only those whose last failure was an exception of this very class, not of one that extends it. */
        public Builder causeType(String className) {
            causeType = FailureText.trim(className);
            return this;
        }

        /** Only what failed first, or began to wait, at or after {@code from} and before {@code to}. */
        public Builder failedBetween(Instant from, Instant to) {
            failed = new TimeRange(from, to);
            return this;
        }

        /** More matches are refused before anything is written. 1 to {@value DeadLetterFilter#MAX_AT_MOST}. */
        public Builder atMost(int letters) {
            if (letters < 1 || letters > MAX_AT_MOST) {
                throw new IllegalArgumentException(
                        "atMost: " + letters + " dead letters, from 1 to " + MAX_AT_MOST + " allowed");
            }
            atMost = letters;
            return this;
        }

        public DeadLetterFilter build() {
            return new DeadLetterFilter(this);
        }
    }
}
