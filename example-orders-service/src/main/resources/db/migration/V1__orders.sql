CREATE TABLE orders (
    id           uuid        PRIMARY KEY DEFAULT gen_random_uuid(),
    customer     text        NOT NULL CHECK (customer <> ''),
    amount_cents bigint      NOT NULL CHECK (amount_cents > 0),
    status       text        NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'confirmed')),
    version      bigint      NOT NULL DEFAULT 0,
    created_at   timestamptz NOT NULL DEFAULT now()
);
