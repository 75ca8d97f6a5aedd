CREATE TABLE "${schema}"."${prefix}thing" (id bigint PRIMARY KEY, name text);
