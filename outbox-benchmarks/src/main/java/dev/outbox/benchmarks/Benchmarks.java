package dev.outbox.benchmarks;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs one scenario on servers of its own and ends with one line of figures. */
@Command(name = "outbox-benchmarks/run", mixinStandardHelpOptions = true, sortOptions = false)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class Benchmarks implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "SCENARIO",
            completionCandidates = Scenarios.class,
            description = "What is measured; one of ${COMPLETION-CANDIDATES}")
    private String scenario;

    @Option(names = "--rounds", defaultValue = "5", description = "How often each side is measured (${DEFAULT-VALUE})")
    private int rounds;

    @Option(
            names = "--scale",
            defaultValue = "1",
            description = "Factor of all amounts, for a quick look; such figures can't be compared (${DEFAULT-VALUE})")
    private double scale;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Benchmarks()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        Scenario chosen = Scenarios.named(scenario);
        if (chosen == null) {
            throw invalid("There is no scenario '" + scenario + "'; there are " + Scenarios.names());
        }
        if (rounds < 1) {
            throw invalid("--rounds is " + rounds + ", must be at least 1");
        }
        if (!(scale > 0)) {
            throw invalid("--scale is " + scale + ", must be above 0");
        }
        Report report = new Report(System.out);
        try (Servers servers = Servers.start()) {
            report.line("%s: %s; %d rounds, scale %s", chosen.name(), chosen.description(), rounds, scale);
            Surroundings.tell(servers, report);
            report.line("%s", chosen.run(new Bench(servers, rounds, scale, report)));
        }
        return CommandLine.ExitCode.OK;
    }

    private ParameterException invalid(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
