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
) ${event_storage};

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
    -- Somebody decided that a parked record is never published.
    discarded_at    timestamptz,
    last_error      text
) ${delivery_storage};

${first_partitions}
-- The queue of each lane. What is parked and not waiting holds up nobody.
CREATE INDEX "${prefix}delivery_ready" ON "${schema}"."${prefix}delivery" (lane, seq)
    WHERE published_at IS NULL AND NOT waiting AND parked_at IS NULL;
-- What waits of one aggregate, in order.
CREATE INDEX "${prefix}delivery_waiting" ON "${schema}"."${prefix}delivery" (lane, aggregate_hash, seq)
    WHERE published_at IS NULL AND waiting;
-- Retries by the time they are due.
CREATE INDEX "${prefix}delivery_due" ON "${schema}"."${prefix}delivery" (lane, next_attempt_at)
    WHERE published_at IS NULL AND next_attempt_at IS NOT NULL;
CREATE INDEX "${prefix}delivery_parked" ON "${schema}"."${prefix}delivery" (parked_at)
    WHERE published_at IS NULL AND parked_at IS NOT NULL AND discarded_at IS NULL;

-- One row a lane; holding its row lock, or its lease, is holding the lane.
CREATE TABLE "${schema}"."${prefix}lane" (
    lane         smallint PRIMARY KEY,
    -- Nothing ready stands at or below this seq, nor can anything come in there any more.
    floor        bigint   NOT NULL DEFAULT 0,
    owner        uuid,
    -- Grows with every lease, so that a holder that lost its lease can't write any more.
    token        bigint   NOT NULL DEFAULT 0,
    leased_until timestamptz
);
INSERT INTO "${schema}"."${prefix}lane" (lane) SELECT generate_series(0, 63);

-- Lanes that somebody without work asks the others for.
CREATE TABLE "${schema}"."${prefix}lane_request" (
    lane         smallint    PRIMARY KEY,
    claimant     uuid        NOT NULL,
    requested_at timestamptz NOT NULL
);

-- What operators have stopped: one topic, or everything under the empty name.
CREATE TABLE "${schema}"."${prefix}pause" (
    topic     text        PRIMARY KEY,
    paused_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    actor     text        NOT NULL,
    reason    text        NOT NULL
);

-- Who decided what, when and why.
CREATE TABLE "${schema}"."${prefix}audit" (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    decided_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    actor      text        NOT NULL,
    action     text        NOT NULL,
    reason     text        NOT NULL,
    topic      text,
    -- The records that the decision met.
    seqs       bigint[]    NOT NULL
);
