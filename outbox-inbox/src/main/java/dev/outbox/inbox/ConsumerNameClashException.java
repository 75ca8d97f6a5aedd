package dev.outbox.inbox;

/** Another Kafka group uses a consumer's name; the message names both and says what to do. */
public class ConsumerNameClashException extends StopConsumerException {

    private static final long serialVersionUID = 1L;

    private final String consumer;
    private final String otherGroup;

    public ConsumerNameClashException(String consumer, String group, String otherGroup, String otherSeen) {
        super("The consumer name '" + consumer + "' belongs to the Kafka group '" + otherGroup + "' (" + otherSeen
                + "), and a listener with the group '" + group + "' has it too. Under one name, each would take for"
                + " duplicates, and skip, what the other has processed. Give one of them another name, or both the same"
                + " group if they are instances of one service. If the group was renamed on purpose, say so by"
                + " outbox.inbox.renamed-groups[" + consumer + "]=" + otherGroup);
        this.consumer = consumer;
        this.otherGroup = otherGroup;
    }

    /** The consumer's name. */
    public String consumer() {
        return consumer;
    }

    /** The group that has the name. */
    public String otherGroup() {
        return otherGroup;
    }
}
