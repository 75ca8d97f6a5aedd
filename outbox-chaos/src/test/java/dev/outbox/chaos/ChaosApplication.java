package dev.outbox.chaos;

import dev.outbox.OutboxWriter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A service with the starter whose only business is to append events and to keep a ledger of them. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ChaosApplication {

    public static void main(String[] arguments) {
        System.out.println(
                ready(WriterSettings.of(start(arguments).getEnvironment()).seed()));
    }

    /** What an instance that was started with this seed prints when it runs. */
    static String ready(long seed) {
        return "The instance with seed %d is ready".formatted(seed);
    }

    static ConfigurableApplicationContext start(String... arguments) {
        return new SpringApplicationBuilder(ChaosApplication.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.main.keep-alive=true", "spring.main.banner-mode=off", "spring.application.name=chaos")
                .run(arguments);
    }

    @Bean
    Ledger ledger(JdbcClient jdbc) {
        return new Ledger(jdbc);
    }

    @Bean
    Writers writers(
            OutboxWriter outbox, Ledger ledger, PlatformTransactionManager transactions, Environment environment) {
        WriterSettings settings = WriterSettings.of(environment);
        return new Writers(
                settings,
                random -> new Writer(outbox, ledger, new TransactionTemplate(transactions), settings, random));
    }

    @Bean
    static PlantedErrors plantedErrors(
            Environment environment, ObjectProvider<PlatformTransactionManager> transactions) {
        return new PlantedErrors(environment, transactions);
    }
}
