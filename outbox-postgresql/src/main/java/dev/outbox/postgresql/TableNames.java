package dev.outbox.postgresql;

import java.util.regex.Pattern;

/**
 * Where the tables of one module live: a schema and a prefix that every table name begins with.
 *
 * <p>Both come from configuration and end up in SQL text, so both are restricted to letters, digits and underscores.
 * They are always quoted, so mixed case means what it says.
 *
 * @param schema the schema, 1 to 63 characters
 * @param prefix the prefix of every table, 1 to 40 characters
 */
public record TableNames(String schema, String prefix) {

    private static final Pattern SCHEMA = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");
    private static final Pattern PREFIX = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,39}");

    /**
     * @throws IllegalArgumentException if a part is not such an identifier
     */
    public TableNames {
        require(SCHEMA, "schema", schema, 63);
        require(PREFIX, "table prefix", prefix, 40);
    }

    /** The name of a table as it stands in SQL: qualified and quoted. */
    public String qualified(String table) {
        return "\"" + schema + "\".\"" + prefix + table + "\"";
    }

    /** The name of a table as the catalog knows it: without schema and quotes. */
    public String unqualified(String table) {
        return prefix + table;
    }

    private static void require(Pattern pattern, String field, String value, int limit) {
        if (!pattern.matcher(value).matches()) {
            throw new IllegalArgumentException("The " + field + " (" + value.length() + " characters) must match "
                    + pattern.pattern() + ": a letter or underscore, then letters, digits and underscores, at most "
                    + limit + " characters");
        }
    }
}
