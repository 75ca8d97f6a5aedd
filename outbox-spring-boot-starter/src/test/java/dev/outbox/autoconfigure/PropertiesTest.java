package dev.outbox.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.AppendLimits;
import dev.outbox.inbox.DeadLetterSettings;
import dev.outbox.inbox.InboxSettings;
import dev.outbox.inbox.PurgeSettings;
import dev.outbox.inbox.RetrySettings;
import dev.outbox.inbox.VersionSettings;
import dev.outbox.inbox.WindowSettings;
import dev.outbox.jdbc.OutboxTables;
import dev.outbox.jdbc.StoreSettings;
import dev.outbox.jdbc.TableLayout;
import dev.outbox.kafka.Envelope;
import dev.outbox.kafka.ProducerSettings;
import dev.outbox.relay.BacklogSampler;
import dev.outbox.relay.RelaySettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The defaults that the metadata shows are those of the code. */
class PropertiesTest {

    private final OutboxProperties outbox = bind("outbox", OutboxProperties.class);
    private final InboxProperties inbox = bind("outbox.inbox", InboxProperties.class);

    @Test
    void appendHasTheDefaultsOfTheCore() {
        assertThat(outbox.append().maxPayloadSize().toBytes()).isEqualTo(AppendLimits.DEFAULT_MAX_PAYLOAD_SIZE);
        assertThat(outbox.schema().name()).isEqualTo(OutboxTables.DEFAULT_SCHEMA);
        assertThat(outbox.schema().tablePrefix()).isEqualTo(OutboxTables.DEFAULT_PREFIX);
        assertThat(outbox.schema().layout()).isEqualTo(TableLayout.PLAIN);
        assertThat(outbox.schema().partitionSize()).isEqualTo(TableLayout.DEFAULT_PARTITION_SIZE);
    }

    @Test
    void relayHasTheDefaultsOfTheCore() {
        RelaySettings core = RelaySettings.defaults();
        OutboxProperties.Relay relay = outbox.relay();
        assertThat(relay.workers()).isEqualTo(core.claims().workers());
        assertThat(relay.lanesPerClaim()).isEqualTo(core.claims().lanes());
        assertThat(relay.tenure()).isEqualTo(core.claims().tenure());
        assertThat(relay.claim()).isEqualTo(StoreSettings.DEFAULT_CLAIM_MODE);
        assertThat(relay.lease()).isEqualTo(StoreSettings.DEFAULT_LEASE);
        assertThat(new RelaySettings.Flow(
                        relay.ordering(),
                        relay.batch().size(),
                        relay.batch().maxBytes().toBytes(),
                        relay.inFlight().records(),
                        relay.inFlight().maxBytes().toBytes()))
                .isEqualTo(core.flow());
        assertThat(relay.parked().continueTopics()).isEqualTo(core.parking().topics());
        assertThat(relay.parked().continueEventTypes()).isEqualTo(core.parking().eventTypes());
        assertThat(relay.polling().minInterval()).isEqualTo(core.polling().minInterval());
        assertThat(relay.polling().maxInterval()).isEqualTo(core.polling().maxInterval());
        assertThat(relay.retry().maxAttempts()).isEqualTo(core.retry().maxAttempts());
        assertThat(relay.retry().initialDelay()).isEqualTo(core.retry().initialDelay());
        assertThat(relay.retry().maxDelay()).isEqualTo(core.retry().maxDelay());
        assertThat(relay.retry().unavailableDelay()).isEqualTo(core.retry().unavailableDelay());
        assertThat(relay.shutdownTimeout()).isEqualTo(core.shutdownTimeout());
        assertThat(relay.backlogInterval()).isEqualTo(BacklogSampler.DEFAULT_INTERVAL);
    }

    @Test
    void thePurgeHasTheDefaultsOfTheCore() {
        OutboxProperties.Purge purge = outbox.purge();
        assertThat(new dev.outbox.PurgeSettings(purge.retention(), purge.period(), purge.batchSize()))
                .isEqualTo(dev.outbox.PurgeSettings.defaults());
    }

    @Test
    void theProducerHasTheDefaultsOfTheCore() {
        OutboxProperties.Kafka kafka = outbox.kafka();
        assertThat(kafka.deliveryTimeout()).isEqualTo(ProducerSettings.DEFAULT_DELIVERY_TIMEOUT);
        assertThat(kafka.maxBlock()).isEqualTo(ProducerSettings.DEFAULT_MAX_BLOCK);
        assertThat(kafka.requestTimeout()).isEqualTo(ProducerSettings.DEFAULT_REQUEST_TIMEOUT);
        assertThat(kafka.linger()).isEqualTo(ProducerSettings.DEFAULT_LINGER);
        assertThat(kafka.compression()).isEqualTo(ProducerSettings.DEFAULT_COMPRESSION);
        assertThat(kafka.envelope().dataSchema()).isEqualTo(Envelope.DEFAULT_DATA_SCHEMA);
    }

    @Test
    void theInboxHasItsOwnDefaults() {
        assertThat(inbox.eventIdHeader()).isEqualTo(InboxSettings.DEFAULT_EVENT_ID_HEADER);
        assertThat(inbox.schema().name()).isEqualTo(InboxSettings.DEFAULT_SCHEMA);
        assertThat(inbox.schema().tablePrefix()).isEqualTo(InboxSettings.DEFAULT_TABLE_PREFIX);
        assertThat(inbox.schema().layout()).isEqualTo(dev.outbox.inbox.jdbc.TableLayout.PLAIN);
        assertThat(inbox.schema().partitionPeriod())
                .isEqualTo(dev.outbox.inbox.jdbc.TableLayout.DEFAULT_PARTITION_PERIOD);
        assertThat(new RetrySettings(
                        inbox.retry().maxAttempts(),
                        inbox.retry().initialDelay(),
                        inbox.retry().maxDelay()))
                .isEqualTo(RetrySettings.defaults());
        assertThat(new PurgeSettings(
                        inbox.purge().retention(),
                        inbox.purge().period(),
                        inbox.purge().batchSize()))
                .isEqualTo(PurgeSettings.defaults());
        assertThat(new WindowSettings(
                        inbox.window().outside(),
                        inbox.window().check(),
                        inbox.window().longestRedrive()))
                .isEqualTo(WindowSettings.defaults());
        assertThat(inbox.kafka().groupInstanceId()).isNull();
        assertThat(inbox.renamedGroups()).isEmpty();
        assertThat(new DeadLetterSettings(
                        inbox.deadLetter().retention(),
                        inbox.deadLetter().topic().enabled(),
                        inbox.deadLetter().topic().suffix(),
                        (int) inbox.deadLetter().topic().maxRequestSize().toBytes(),
                        inbox.deadLetter().topic().maxBlock(),
                        inbox.deadLetter().topic().deliveryTimeout()))
                .isEqualTo(DeadLetterSettings.defaults());
    }

    @Test
    void versionsHaveTheDefaultsOfTheInbox() {
        InboxProperties.Versions versions = inbox.versions();
        assertThat(new VersionSettings(
                        versions.maxEarlyPerAggregate(),
                        versions.maxEarlyPerConsumer(),
                        versions.timeout(),
                        versions.onTimeout(),
                        versions.period()))
                .isEqualTo(VersionSettings.defaults());
    }

    @Test
    void everyPropertyStandsInTheDocumentationWithItsDefault() throws IOException {
        String documentation = Files.readString(Path.of("../docs/properties.md"));
        JsonNode metadata = JsonMapper.shared()
                .readTree(getClass().getResourceAsStream("/META-INF/spring-configuration-metadata.json"));
        for (JsonNode property : metadata.get("properties")) {
            JsonNode value = property.get("defaultValue");
            String documented = value == null ? "" : "`" + value.asString() + "`";
            assertThat(documentation).contains("| `" + property.get("name").asString() + "` | " + documented + " | ");
        }
    }

    private static <T> T bind(String prefix, Class<T> type) {
        return new Binder(new MapConfigurationPropertySource(Map.of())).bindOrCreate(prefix, type);
    }
}
