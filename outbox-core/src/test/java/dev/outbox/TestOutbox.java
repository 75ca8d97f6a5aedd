package dev.outbox;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.jdbc.ClaimMode;
import dev.outbox.jdbc.JdbcDeliveryStore;
import dev.outbox.jdbc.JdbcEventStore;
import dev.outbox.jdbc.OutboxTables;
import dev.outbox.jdbc.StoreSettings;
import dev.outbox.jdbc.TableLayout;
import dev.outbox.json.JacksonPayloadSerializer;
import dev.outbox.kafka.Envelope;
import dev.outbox.kafka.EnvelopeMode;
import dev.outbox.kafka.KafkaEventPublisher;
import dev.outbox.kafka.ProducerSettings;
import dev.outbox.kafka.TopicListener;
import dev.outbox.postgresql.SchemaMode;
import dev.outbox.postgresql.TableNames;
import dev.outbox.postgresql.TransactionPhase;
import dev.outbox.relay.Relay;
import dev.outbox.relay.RelaySettings;
import dev.outbox.testkit.KafkaBroker;
import dev.outbox.testkit.PostgresServer;
import dev.outbox.testkit.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** A whole outbox on real servers: a database of its own, the shared broker, a writer, and as many relays as wanted. */
public final class TestOutbox implements AutoCloseable {

    public static final TableNames DEFAULT_NAMES =
            new TableNames(OutboxTables.DEFAULT_SCHEMA, OutboxTables.DEFAULT_PREFIX);

    private static final String SCRIPTS = "dev/outbox/schema/scripts/";

    private static final Duration PUBLISH_TIMEOUT = Duration.ofSeconds(35);

    /** Small delays, so that retries don't make tests slow. */
    public static final RelaySettings.Retry QUICK_RETRY =
            new RelaySettings.Retry(5, Duration.ofMillis(20), Duration.ofMillis(200), Duration.ofMillis(100));

    public final TestDatabase database;
    public final HikariDataSource dataSource;
    public final TransactionPhase phase = new TransactionPhase();
    public final DataSourceTransactionManager transactions;
    public final TransactionTemplate transaction;
    public final JdbcClient jdbc;
    public final OutboxWriter writer;
    private final TableNames names;
    private final List<Relay> relays = new CopyOnWriteArrayList<>();
    private final TopicListener toRelays = new TopicListener() {
        @Override
        public void opened(String topic) {
            relays.forEach(relay -> relay.opened(topic));
        }

        @Override
        public void probing(String topic) {
            relays.forEach(relay -> relay.probing(topic));
        }
    };
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    public TestOutbox() {
        this(DEFAULT_NAMES, config -> {});
    }

    public TestOutbox(TableNames names, Consumer<HikariConfig> pool) {
        this(PostgresServer.shared().createDatabase(), names, pool, true);
    }

    /**
     * @param create whether the tables are to be made, or are there already
     */
    public TestOutbox(TestDatabase database, TableNames names, Consumer<HikariConfig> pool, boolean create) {
        this.database = database;
        this.names = names;
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setMaximumPoolSize(12);
        pool.accept(config);
        dataSource = new HikariDataSource(config);
        if (create) {
            createTables();
        }
        transactions = new DataSourceTransactionManager(dataSource);
        transactions.setTransactionExecutionListeners(List.of(phase));
        transaction = new TransactionTemplate(transactions);
        jdbc = JdbcClient.create(dataSource);
        writer = writer(dataSource, true);
    }

    /** An outbox in the partitioned layout, with so many numbers in a partition. */
    public static TestOutbox partitioned(TableNames names, long partitionSize, Consumer<HikariConfig> pool) {
        TestDatabase database = PostgresServer.shared().createDatabase();
        OutboxTables.schema(names, TableLayout.PARTITIONED, partitionSize)
                .prepare(database.dataSource(), SchemaMode.MIGRATE);
        return new TestOutbox(database, names, pool, false);
    }

    /** By the plain script where its names fit, because that takes a tenth of the time. */
    private void createTables() {
        if (names.equals(DEFAULT_NAMES)) {
            JdbcClient.create(database.dataSource()).sql(plainScript()).update();
        } else {
            OutboxTables.schema(names).prepare(dataSource, SchemaMode.MIGRATE);
        }
    }

    public static String plainScript() {
        return plainScript(TableLayout.PLAIN);
    }

    public static String plainScript(TableLayout layout) {
        String name = SCRIPTS + (layout == TableLayout.PLAIN ? "" : "partitioned/") + "V1__outbox.sql";
        try (InputStream script =
                Objects.requireNonNull(Event.class.getClassLoader().getResourceAsStream(name), name)) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Forgets every event, so that several tests can share the tables. */
    public void clear() {
        jdbc.sql("TRUNCATE " + names.qualified("event") + ", " + names.qualified("delivery") + " RESTART IDENTITY")
                .update();
    }

    public OutboxWriter writer(DataSource source, boolean guardOrder) {
        return OutboxWriter.create(
                new JdbcEventStore(source, phase, names, guardOrder),
                List.of(new JacksonPayloadSerializer(JsonMapper.shared())),
                List.of(),
                List.of(),
                new AppendLimits(AppendLimits.DEFAULT_MAX_PAYLOAD_SIZE),
                new OutboxListener() {});
    }

    public DeliveryStore store() {
        return store(StoreSettings.defaults(PUBLISH_TIMEOUT));
    }

    public DeliveryStore store(StoreSettings settings) {
        return new JdbcDeliveryStore(dataSource, names, settings);
    }

    /** A store in another claim mode. */
    public DeliveryStore store(ClaimMode mode, Duration lease) {
        return store(new StoreSettings(mode, lease.dividedBy(2), lease, Ordering.STRICT, false));
    }

    public KafkaEventPublisher publisher(Map<String, Object> overrides) {
        Map<String, Object> settings = new HashMap<>(overrides);
        settings.putIfAbsent("bootstrap.servers", KafkaBroker.shared().bootstrapServers());
        Envelope envelope = new Envelope(EnvelopeMode.BINARY, URI.create("/test"), Envelope.DEFAULT_DATA_SCHEMA);
        return closeLater(new KafkaEventPublisher(
                ProducerSettings.enforce(settings), envelope, KafkaEventPublisher.defaultClassifier(), toRelays));
    }

    public static RelaySettings settings(int lanes, int batch) {
        return settings(lanes, batch, Ordering.STRICT);
    }

    public static RelaySettings settings(int lanes, int batch, Ordering ordering) {
        return new RelaySettings(
                new RelaySettings.Claims(1, lanes, Duration.ofMillis(500)),
                new RelaySettings.Flow(ordering, batch, 4_000_000, 5 * batch, 16_000_000),
                new RelaySettings.Polling(Duration.ofMillis(5), Duration.ofMillis(50)),
                QUICK_RETRY,
                RelaySettings.Parking.defaults(),
                Duration.ofSeconds(10));
    }

    /** Starts a relay with a producer of its own, as another instance would have. */
    public Relay startRelay(RelaySettings settings) {
        return startRelay(settings, store(), publisher(Map.of()));
    }

    public Relay startRelay(RelaySettings settings, DeliveryStore store, EventPublisher publisher) {
        return startRelay(settings, store, publisher, new OutboxListener() {});
    }

    public Relay startRelay(
            RelaySettings settings, DeliveryStore store, EventPublisher publisher, OutboxListener listener) {
        Relay relay = new Relay(store, publisher, settings, listener);
        return start(relay);
    }

    /** Starts a relay, and stops it with this. */
    public Relay start(Relay relay) {
        relays.add(relay);
        relay.start();
        closeLater(relay::stop);
        return relay;
    }

    public UUID append(Event event) {
        return transaction.execute(status -> writer.append(event));
    }

    public static Event.Builder event(String topic, String aggregateId) {
        return Event.builder()
                .topic(topic)
                .type("order.confirmed")
                .aggregate("order", aggregateId)
                .payload("{}".getBytes(StandardCharsets.UTF_8), "application/json");
    }

    /** Ids of aggregates of type {@code order} that one lane has. */
    public List<String> aggregatesOfOneLane(int count) {
        return aggregatesOfLane(7, count);
    }

    public List<String> aggregatesOfLane(int lane, int count) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "a" + i)
                .filter(id -> Aggregate.lane(new Aggregate("order", id, null).hash()) == lane)
                .limit(count)
                .toList();
    }

    /** Writes a row that append would refuse, as a release with other limits might have done. */
    public void insertUnchecked(String topic, String aggregateId, byte[] payload) {
        String table = names.qualified("event");
        long seq = jdbc.sql("INSERT INTO " + table
                        + " (event_id, aggregate_type, aggregate_id, topic, event_type, schema_version, content_type,"
                        + " payload, headers) VALUES (gen_random_uuid(), 'order', :id, :topic, 'order.confirmed', 1,"
                        + " 'application/json', :payload, '{}') RETURNING seq")
                .param("id", aggregateId)
                .param("topic", topic)
                .param("payload", payload)
                .query(Long.class)
                .single();
        long hash = new Aggregate("order", aggregateId, null).hash();
        jdbc.sql("INSERT INTO " + names.qualified("delivery") + " (seq, lane, aggregate_hash) VALUES (?, ?, ?)")
                .params(seq, Aggregate.lane(hash), hash)
                .update();
    }

    public void insertUncheckedInTransaction(String topic, String aggregateId, byte[] payload) {
        transaction.executeWithoutResult(status -> insertUnchecked(topic, aggregateId, payload));
    }

    public long count(String condition) {
        return jdbc.sql("SELECT count(*) FROM " + names.qualified("event") + " JOIN " + names.qualified("delivery")
                        + " USING (seq) WHERE " + condition)
                .query(Long.class)
                .single();
    }

    public static @Nullable String header(ConsumerRecord<byte[], byte[]> record, String name) {
        var header = record.headers().lastHeader(name);
        return header == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }

    public static @Nullable String eventId(ConsumerRecord<byte[], byte[]> record) {
        return header(record, "ce_id");
    }

    public static String key(ConsumerRecord<byte[], byte[]> record) {
        return new String(record.key(), StandardCharsets.UTF_8);
    }

    public <T extends AutoCloseable> T closeLater(T closeable) {
        open.push(closeable);
        return closeable;
    }

    @Override
    public void close() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
        dataSource.close();
    }
}
