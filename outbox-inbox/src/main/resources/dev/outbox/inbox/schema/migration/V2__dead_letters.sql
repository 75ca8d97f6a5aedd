-- The record is kept as bytes, so that whatever arrived is there again when it is redriven. What is text has been cut and
-- cleaned: it is for people and filters.
CREATE TABLE "${schema}"."${prefix}dead_letter" (
    id                bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    consumer          text        NOT NULL,
    state             text        NOT NULL,
    event_id          uuid,
    event_type        text,
    schema_version    integer,
    aggregate_type    text,
    aggregate_id      text,
    aggregate_version bigint,
    -- A hash of the aggregate as it arrived, of any length; null where the record names none.
    aggregate_key     uuid,
    topic             text        NOT NULL,
    partition         integer     NOT NULL,
    record_offset     bigint      NOT NULL,
    -- Milliseconds since 1970, as in Kafka; -1 for none.
    record_timestamp  bigint      NOT NULL,
    record_key        bytea,
    record_value      bytea,
    header_names      bytea[]     NOT NULL,
    header_values     bytea[]     NOT NULL,
    attempts          integer     NOT NULL,
    cause_type        text,
    cause             text,
    first_failed_at   timestamptz NOT NULL,
    last_failed_at    timestamptz NOT NULL,
    decided_at        timestamptz,
    CHECK (state IN ('dead', 'waiting', 'redriven', 'discarded')),
    CHECK ((decided_at IS NULL) = (state IN ('dead', 'waiting')))
);

-- Lists, and the number and age of the open ones without a look at their rows.
CREATE INDEX "${prefix}dead_letter_open" ON "${schema}"."${prefix}dead_letter" (id)
    INCLUDE (consumer, first_failed_at) WHERE decided_at IS NULL;

-- What an event of the aggregate waits behind.
CREATE INDEX "${prefix}dead_letter_aggregate" ON "${schema}"."${prefix}dead_letter" (consumer, aggregate_key, id)
    WHERE decided_at IS NULL AND aggregate_key IS NOT NULL;

-- An event has at most one open letter, and is not forgotten while it has; by id first, for those who ask for a range.
CREATE UNIQUE INDEX "${prefix}dead_letter_event" ON "${schema}"."${prefix}dead_letter" (event_id, consumer)
    WHERE decided_at IS NULL AND event_id IS NOT NULL;

-- A record without id is known by its place, and by its time: a topic that is made anew counts from 0 again.
CREATE UNIQUE INDEX "${prefix}dead_letter_position" ON "${schema}"."${prefix}dead_letter"
    (consumer, topic, partition, record_offset, record_timestamp) WHERE event_id IS NULL;

CREATE INDEX "${prefix}dead_letter_decided" ON "${schema}"."${prefix}dead_letter" (decided_at)
    WHERE decided_at IS NOT NULL;

CREATE TABLE "${schema}"."${prefix}audit" (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    decided_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    actor      text        NOT NULL,
    action     text        NOT NULL,
    reason     text        NOT NULL,
    -- The dead letters that the decision met.
    ids        bigint[]    NOT NULL
);
