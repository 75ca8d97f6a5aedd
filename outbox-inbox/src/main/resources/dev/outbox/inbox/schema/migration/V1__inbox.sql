CREATE TABLE "${schema}"."${prefix}processed" (
    consumer text NOT NULL,
    event_id uuid NOT NULL,
    processed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (consumer, event_id)
);

-- The purge reads from the oldest end. Measured over 200,000 inserts: 22 bytes a row and no time above the noise. A BRIN
-- index is smaller, but new rows fill the pages that the purge has freed, until each of its ranges spans everything.
CREATE INDEX "${prefix}processed_at" ON "${schema}"."${prefix}processed" (processed_at);
