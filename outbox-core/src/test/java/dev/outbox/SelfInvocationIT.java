package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.postgresql.TransactionRequiredException;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

class SelfInvocationIT {

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class Application {

        @Bean
        TestOutbox outbox() {
            return new TestOutbox();
        }

        @Bean
        PlatformTransactionManager transactionManager(TestOutbox outbox) {
            return outbox.transactions;
        }

        @Bean
        OrderService orderService(TestOutbox outbox) {
            return new OrderService(outbox.writer);
        }
    }

    static class OrderService {

        private final OutboxWriter outbox;

        OrderService(OutboxWriter outbox) {
            this.outbox = outbox;
        }

        public void confirmAround() {
            confirm();
        }

        @Transactional
        public void confirm() {
            outbox.append(TestOutbox.event("orders", "1").build());
        }
    }

    @Test
    void aCallThatGoesAroundTheProxyIsRefused() {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Application.class)) {
            TestOutbox outbox = context.getBean(TestOutbox.class);
            OrderService service = context.getBean(OrderService.class);

            assertThatExceptionOfType(TransactionRequiredException.class)
                    .isThrownBy(service::confirmAround)
                    .withMessageContaining("through the Spring proxy");
            assertThat(outbox.count("true")).isZero();
            service.confirm();
            assertThat(outbox.count("true")).isEqualTo(1);
        }
    }
}
