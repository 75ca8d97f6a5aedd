package dev.outbox.kafka;

/** A producer setting would break a guarantee of the outbox; the message names it and says why. */
public class WeakProducerSettingException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final String setting;

    WeakProducerSettingException(String setting, String message) {
        super(message);
        this.setting = setting;
    }

    /** The Kafka name of the setting, {@code acks}. */
    public String setting() {
        return setting;
    }
}
