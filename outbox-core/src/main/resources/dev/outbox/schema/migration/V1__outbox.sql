-- The contract: what happened, insert-only. Change data capture and people read it.
CREATE TABLE "${schema}"."${prefix}event" (
    seq               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event_id          uuid        NOT NULL,
    aggregate_type    text        NOT NULL,
    aggregate_id      text        NOT NULL,
    aggregate_version bigint,
    topic             text        NOT NULL,
    event_type        text        NOT NULL,
    schema_version    integer     NOT NULL,
    content_type      text        NOT NULL,
    payload           bytea       NOT NULL,
    headers           jsonb       NOT NULL,
    created_at        timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- The mechanics of the relay, narrow because every publish rewrites the row.
CREATE TABLE "${schema}"."${prefix}delivery" (
    seq             bigint   PRIMARY KEY,
    lane            smallint NOT NULL,
    aggregate_hash  bigint   NOT NULL,
    published_at    timestamptz,
    -- Out of its lane's queue: a failed record, or one that waits behind it.
    waiting         boolean  NOT NULL DEFAULT false,
    attempts        integer  NOT NULL DEFAULT 0,
    -- Set on the first waiting record of an aggregate unless that is parked.
    next_attempt_at timestamptz,
    parked_at       timestamptz,
    last_error      text
) WITH (fillfactor = 50);

-- The queue of each lane.
CREATE INDEX "${prefix}delivery_ready" ON "${schema}"."${prefix}delivery" (lane, seq)
    WHERE published_at IS NULL AND NOT waiting;
-- What waits of one aggregate, in order.
CREATE INDEX "${prefix}delivery_waiting" ON "${schema}"."${prefix}delivery" (lane, aggregate_hash, seq)
    WHERE published_at IS NULL AND waiting;
-- Retries by the time they are due.
CREATE INDEX "${prefix}delivery_due" ON "${schema}"."${prefix}delivery" (lane, next_attempt_at)
    WHERE published_at IS NULL AND next_attempt_at IS NOT NULL;
CREATE INDEX "${prefix}delivery_parked" ON "${schema}"."${prefix}delivery" (parked_at)
    WHERE published_at IS NULL AND parked_at IS NOT NULL;

-- One row a lane; holding its row lock is holding the lane.
CREATE TABLE "${schema}"."${prefix}lane" (
    lane smallint PRIMARY KEY
);
INSERT INTO "${schema}"."${prefix}lane" (lane) SELECT generate_series(0, 63);
