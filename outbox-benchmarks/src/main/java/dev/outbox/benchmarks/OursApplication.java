package dev.outbox.benchmarks;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

/** A service with nothing but the starter and its defaults. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class OursApplication {

    @Bean
    PublishedCount publishedCount() {
        return new PublishedCount();
    }
}
