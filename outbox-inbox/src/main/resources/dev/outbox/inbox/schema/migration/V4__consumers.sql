CREATE TABLE "${schema}"."${prefix}consumer" (
    consumer text PRIMARY KEY,
    group_id text NOT NULL,
    application text NOT NULL,
    last_seen timestamptz NOT NULL DEFAULT clock_timestamp()
);
