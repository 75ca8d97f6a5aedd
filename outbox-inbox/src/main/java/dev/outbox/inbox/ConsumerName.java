package dev.outbox.inbox;

import java.util.regex.Pattern;

/**
 * The name under which the inbox remembers the events of one consumer.
 *
 * @param value 1 to 200 printable ASCII characters without spaces
 */
public record ConsumerName(String value) {

    private static final Pattern FORM = Pattern.compile("[\\x21-\\x7e]{1,200}");

    /**
     * @throws IllegalArgumentException if the name has another form
     */
    public ConsumerName {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException("A consumer's name has 1 to 200 printable ASCII characters without"
                    + " spaces, but this one has " + value.length() + " characters: \""
                    + value.substring(0, Math.min(value.length(), 40)) + "\"");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
