package dev.outbox.autoconfigure;

import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;

/** The {@code DataSource} that holds the tables: the marked one, or the only or primary one. */
record ModuleDataSource(DataSource dataSource) {

    static ModuleDataSource of(ObjectProvider<DataSource> marked, ObjectProvider<DataSource> all) {
        return new ModuleDataSource(marked.getIfAvailable(all::getObject));
    }
}
