package dev.outbox.autoconfigure;

import dev.outbox.postgresql.ModuleSchema;
import dev.outbox.postgresql.SchemaMode;
import javax.sql.DataSource;
import org.springframework.beans.factory.InitializingBean;

/** Prepares the tables of a module when the context starts, before anything uses them. */
class SchemaInitializer implements InitializingBean {

    private final ModuleSchema schema;
    private final DataSource dataSource;
    private final SchemaMode mode;

    SchemaInitializer(ModuleSchema schema, DataSource dataSource, SchemaMode mode) {
        this.schema = schema;
        this.dataSource = dataSource;
        this.mode = mode;
    }

    @Override
    public void afterPropertiesSet() {
        schema.prepare(dataSource, mode);
    }
}
