package dev.outbox.testkit;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Settings of a PostgreSQL server.
 *
 * @param settings names and values as in {@code postgresql.conf}
 */
public record PostgresOptions(Map<String, String> settings) {

    public PostgresOptions {
        settings = Map.copyOf(settings);
    }

    /**
     * Commits survive the death of the server but not of the machine ({@code fsync=off}); 300 connections. Right for
     * tests, useless for measurements.
     */
    public static PostgresOptions fast() {
        return durable().with("fsync", "off").with("full_page_writes", "off");
    }

    /** Commits survive everything that PostgreSQL's own defaults survive; 300 connections. Right for measurements. */
    public static PostgresOptions durable() {
        return new PostgresOptions(
                Map.of("fsync", "on", "full_page_writes", "on", "synchronous_commit", "on", "max_connections", "300"));
    }

    /** Returns a copy with one more setting, or another value of it. */
    public PostgresOptions with(String name, String value) {
        Map<String, String> changed = new LinkedHashMap<>(settings);
        changed.put(name, value);
        return new PostgresOptions(changed);
    }
}
