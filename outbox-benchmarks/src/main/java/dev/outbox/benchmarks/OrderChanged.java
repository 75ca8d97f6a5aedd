package dev.outbox.benchmarks;

/** The payload of {@link Orders} as an object, for libraries that write the JSON themselves. */
record OrderChanged(String order, String customer, long cents, String reference) {}
