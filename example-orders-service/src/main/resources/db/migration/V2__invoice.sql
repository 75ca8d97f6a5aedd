-- Billing's table. No foreign key to orders: the two features share a database here, but could be two services.
-- No unique key on order_id: that there is one invoice per confirmed order is the inbox's promise, and this example shows it.
CREATE TABLE invoice (
    number       bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id     uuid        NOT NULL,
    customer     text        NOT NULL,
    amount_cents bigint      NOT NULL CHECK (amount_cents > 0),
    event_id     uuid        NOT NULL,
    issued_at    timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX invoice_order_id ON invoice (order_id);
