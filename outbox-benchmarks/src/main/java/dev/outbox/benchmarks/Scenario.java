package dev.outbox.benchmarks;

/** Something of the outbox that is measured beside a limit. */
interface Scenario {

    /** What it is called on the command line. */
    String name();

    /** What is compared, in one line. */
    String description();

    /** Measures, telling each round, and returns what the last line says. */
    Summary run(Bench bench) throws Exception;
}
