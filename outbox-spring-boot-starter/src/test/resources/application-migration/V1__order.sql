CREATE TABLE application_order (id int PRIMARY KEY);
