ALTER TABLE "${schema}"."${prefix}thing" ADD COLUMN mark integer;
