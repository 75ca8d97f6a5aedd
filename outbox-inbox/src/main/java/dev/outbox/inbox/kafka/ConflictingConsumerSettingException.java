package dev.outbox.inbox.kafka;

/** A Kafka consumer setting was configured that would break the inbox's guarantee; the message says what to do. */
public class ConflictingConsumerSettingException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final String setting;
    private final String configured;
    private final String required;

    ConflictingConsumerSettingException(String setting, String configured, String required, String reason) {
        super("The Kafka consumer setting " + setting + " is '" + configured + "', but an idempotent listener needs '"
                + required + "': " + reason + ". Remove the setting from the consumer configuration, or from the"
                + " listener's properties; it is set by the inbox");
        this.setting = setting;
        this.configured = configured;
        this.required = required;
    }

    /** Name of the Kafka setting, such as {@code isolation.level}. */
    public String setting() {
        return setting;
    }

    /** The value that was configured. */
    public String configured() {
        return configured;
    }

    /** The only value that is possible. */
    public String required() {
        return required;
    }
}
