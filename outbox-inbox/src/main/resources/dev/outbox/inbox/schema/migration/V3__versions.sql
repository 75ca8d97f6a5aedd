-- One row for each aggregate that a consumer with a version policy has seen. The free space keeps its updates off the index.
CREATE TABLE "${schema}"."${prefix}aggregate_version" (
    consumer       text        NOT NULL,
    aggregate_type text        NOT NULL,
    aggregate_id   text        NOT NULL,
    -- The last one that was applied; one less than the first where none was.
    version        bigint      NOT NULL,
    applied_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (consumer, aggregate_type, aggregate_id)
) WITH (fillfactor = 80);

CREATE TABLE "${schema}"."${prefix}early_event" (
    consumer         text        NOT NULL,
    aggregate_type   text        NOT NULL,
    aggregate_id     text        NOT NULL,
    version          bigint      NOT NULL,
    event_id         uuid        NOT NULL,
    -- Decided elsewhere: when its turn comes, the version counts as applied and nothing runs. It has no record.
    settled          boolean     NOT NULL DEFAULT false,
    topic            text,
    partition        integer,
    record_offset    bigint,
    -- Milliseconds since 1970, as in Kafka; -1 for none.
    record_timestamp bigint,
    record_key       bytea,
    record_value     bytea,
    header_names     bytea[],
    header_values    bytea[],
    received_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    attempts         integer     NOT NULL DEFAULT 0,
    next_attempt_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    last_error       text,
    PRIMARY KEY (consumer, aggregate_type, aggregate_id, version),
    CHECK (settled OR (topic IS NOT NULL AND header_names IS NOT NULL AND header_values IS NOT NULL))
);

-- The number and age of those that wait, without a look at their rows.
CREATE INDEX "${prefix}early_event_received" ON "${schema}"."${prefix}early_event" (consumer, received_at)
    WHERE NOT settled;
