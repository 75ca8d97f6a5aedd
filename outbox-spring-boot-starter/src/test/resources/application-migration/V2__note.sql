ALTER TABLE application_order ADD COLUMN note text;
