package dev.outbox.autoconfigure;

import java.util.function.Supplier;

/** Properties do not make settings. */
class InvalidOutboxPropertyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String prefix;

    InvalidOutboxPropertyException(String prefix, IllegalArgumentException cause) {
        super("The properties " + prefix + ".* are not valid: " + cause.getMessage(), cause);
        this.prefix = prefix;
    }

    String prefix() {
        return prefix;
    }

    /** Makes settings out of the properties with a prefix; what the settings object to is told with that prefix. */
    static <T> T settings(String prefix, Supplier<T> settings) {
        try {
            return settings.get();
        } catch (IllegalArgumentException e) {
            throw new InvalidOutboxPropertyException(prefix, e);
        } catch (ArithmeticException e) {
            throw new InvalidOutboxPropertyException(
                    prefix, new IllegalArgumentException("a size or time is beyond " + Integer.MAX_VALUE, e));
        }
    }
}
