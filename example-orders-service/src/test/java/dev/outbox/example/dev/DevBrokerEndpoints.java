package dev.outbox.example.dev;

import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/** Lets a browser or curl kill the broker and start it again. */
@TestConfiguration(proxyBeanMethods = false)
class DevBrokerEndpoints {

    @Bean
    RouterFunction<ServerResponse> devBrokerRoutes(DevBroker broker) {
        return RouterFunctions.route()
                .GET("/dev/broker", request -> state(broker))
                .POST("/dev/broker/kill", request -> {
                    broker.kill();
                    return state(broker);
                })
                .POST("/dev/broker/start", request -> {
                    broker.start();
                    return state(broker);
                })
                .build();
    }

    private static ServerResponse state(DevBroker broker) {
        Long pid = broker.pid().orElse(null);
        return ServerResponse.ok().body(new BrokerState(pid != null, pid, broker.bootstrapServers()));
    }

    record BrokerState(boolean running, Long pid, String bootstrapServers) {}
}
