CREATE TABLE "${schema}"."${prefix}processed" (
    consumer text NOT NULL,
    event_id uuid NOT NULL,
    processed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- The id first: it is compared as two numbers where a name is compared as text, and time-ordered ids fill the pages.
    PRIMARY KEY (event_id, consumer)
) ${processed_storage};

${first_partitions}
-- The purge reads from the oldest end: 22 bytes a row. A BRIN index is smaller, but new rows fill the pages that the
-- purge has freed, until each of its ranges spans everything.
CREATE INDEX "${prefix}processed_at" ON "${schema}"."${prefix}processed" (processed_at);
