package dev.outbox.inbox;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;
import org.springframework.kafka.annotation.KafkaListener;

/**
 * Makes a method a Kafka listener whose database effect is applied once per event.
 *
 * <p>For each record, in one database transaction: the event is recorded in the inbox under the consumer's name, the
 * method runs, the transaction commits; only then may the record's offset be committed. A record whose event is already
 * there is a duplicate: the method does not run. An exception of the method, or of the commit, rolls everything back
 * and the record is retried, then dead-lettered.
 *
 * <p>The method returns nothing. Its parameters may be the payload ({@code byte[]}, {@code String}, a type that the JSON
 * mapper reads, or what the {@link #valueDeserializer()} makes), an {@link EventMetadata}, an {@link IdempotencyKey}, a
 * {@code ConsumerRecord<byte[], byte[]>}, a spring-messaging {@code Message} of the payload, and single headers by
 * {@code @Header}. A payload parameter that is {@code @Nullable}, an {@code Optional} or
 * {@code @Payload(required = false)} takes tombstones too; they are dead-lettered otherwise. Only writes that join the
 * transaction are applied once: what the method does elsewhere (HTTP, mail, {@code REQUIRES_NEW}) may happen again, and
 * {@link IdempotencyKey} helps there.
 *
 * <p>With {@link #batch()} a whole poll is one transaction, with {@link #parallelism()} the aggregates of a poll are
 * processed at once. Either way the order of an aggregate is kept, and no offset moves past an unfinished record.
 *
 * <p>All text attributes take property placeholders and SpEL, as those of {@link KafkaListener} do.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@KafkaListener(containerFactory = IdempotentListener.CONTAINER_FACTORY, batch = "false")
public @interface IdempotentListener {

    /** Name of the bean that makes the listener containers. */
    String CONTAINER_FACTORY = "idempotentListenerContainerFactory";

    /**
     * The name under which the inbox remembers what was processed: see {@link ConsumerName} for its form. It is the
     * identity of the effect, so it stays the same when methods and classes are renamed, and no two listeners have the
     * same one: the start-up fails if they do, in one application or in two with different groups on one database. It
     * is also the container's id.
     *
     * <p>If empty, the name is {@code <simple name of the class that declares the method>.<method>}. Renaming either
     * then makes it a new consumer that applies every event again that is still in Kafka, so an explicit name is
     * better, and the log says so.
     */
    @AliasFor(annotation = KafkaListener.class, attribute = "id")
    String consumer() default "";

    /** Topics to consume. Exclusive with {@link #topicPattern()}. */
    @AliasFor(annotation = KafkaListener.class, attribute = "topics")
    String[] topics() default {};

    /**
     * Regular expression for the topics to consume. Dead-letter topics never match; to consume one, name it in
     * {@link #topics()}. Exclusive with {@link #topics()}.
     */
    @AliasFor(annotation = KafkaListener.class, attribute = "topicPattern")
    String topicPattern() default "";

    /** What happens to the events that follow a dead letter of their aggregate. */
    AfterDeadLetter afterDeadLetter() default AfterDeadLetter.CONTINUE;

    /** Kafka consumer group. The consumer's name if empty. */
    @AliasFor(annotation = KafkaListener.class, attribute = "groupId")
    String groupId() default "";

    /**
     * What is done with an event that is older than what the inbox remembers, and unknown to it. One policy, which
     * overrules that of {@link WindowSettings#outside()}; that one holds if empty.
     */
    OutsideWindow[] outsideWindow() default {};

    /** Number of Kafka consumers, each with a thread of its own. The container factory's, which is 1, if empty. */
    @AliasFor(annotation = KafkaListener.class, attribute = "concurrency")
    String concurrency() default "";

    /**
     * Whether all events of a poll are processed in one transaction, which is then committed before their offsets. An
     * event that fails rolls it back; then each is processed in a transaction of its own, and only the failing one is
     * retried or dead-lettered.
     *
     * <p>The method is called for each event in order, or once with all of them if its parameters are lists: a {@code
     * List} of the payload ({@code byte[]}, {@code String}, or a type that the JSON mapper reads), and beside it or
     * instead of it a {@code List<EventMetadata>} and a {@code List<ConsumerRecord<byte[], byte[]>>}. The lists hold the
     * events in one order, those that are new to the consumer only. A payload that is itself a list is taken as an
     * array. How many events there are at most is the consumer setting {@code max.poll.records}.
     */
    boolean batch() default false;

    /**
     * How many events this listener processes at once, at least 1, over all of its {@link #concurrency()}; 1 if empty.
     * Exclusive with {@link #batch()}.
     *
     * <p>The events of a poll are spread by record key, each in a transaction of its own. Events with the same key stay in
     * order, also in retries, and so do those of a partition that have no key. An event that fails holds up the later
     * ones of its key in that poll, and no others. Each worker needs a connection of the pool while it processes. The
     * method runs on threads of the workers, so it cannot take the Kafka {@code Consumer}.
     */
    String parallelism() default "";

    /** Whether the container starts with the application context. The container factory's, which is true, if empty. */
    @AliasFor(annotation = KafkaListener.class, attribute = "autoStartup")
    String autoStartup() default "";

    /** Prefix of the Kafka client id. That of the consumer configuration if empty. */
    @AliasFor(annotation = KafkaListener.class, attribute = "clientIdPrefix")
    String clientIdPrefix() default "";

    /**
     * Further Kafka consumer settings, each {@code name=value}. A value that would break the inbox's guarantee stops
     * the start-up.
     */
    @AliasFor(annotation = KafkaListener.class, attribute = "properties")
    String[] properties() default {};

    /** Name of a {@code ContainerPostProcessor} bean that adjusts this listener's container. None if empty. */
    @AliasFor(annotation = KafkaListener.class, attribute = "containerPostProcessor")
    String containerPostProcessor() default "";

    /**
     * What is done with the versions of aggregates. With another policy than {@link VersionPolicy#NONE}, an event without
     * aggregate type, id and version is dead-lettered.
     */
    VersionPolicy versions() default VersionPolicy.NONE;

    /**
     * The version that is expected of an aggregate that the consumer has seen nothing of, at least 0. For
     * {@link VersionPolicy#STRICT} only. JPA's {@code @Version} begins at 0. An event with a lower version is
     * dead-lettered.
     */
    long firstVersion() default 1;

    /**
     * Name of the {@code EventExtractor} bean that reads which event a record is. If empty, all beans of that type are
     * asked.
     */
    String extractor() default "";

    /**
     * What makes the payload of the record's bytes: the class name of a Kafka {@code Deserializer}, which is configured
     * with the consumer's settings and {@link #properties()}, or the name of a thread-safe, configured bean. The consumer
     * reads bytes all the same, so what can't be deserialized is dead-lettered. The container factory's, which is none, if
     * empty: text and JSON are then read by the parameter's type.
     */
    String valueDeserializer() default "";
}
