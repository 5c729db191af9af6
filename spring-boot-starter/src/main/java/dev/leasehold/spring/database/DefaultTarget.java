package dev.leasehold.spring.database;

import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** What can be asked on a thread that has no route. */
public final class DefaultTarget {

    private DefaultTarget() {}

    /**
     * The default target of a source that routes by the calling thread, or wraps one that does; empty if there is none, also
     * none at the end of several. Any other source itself.
     */
    public static Optional<DataSource> of(DataSource dataSource) {
        Optional<AbstractRoutingDataSource> routing = routing(dataSource);
        return routing.isEmpty()
                ? Optional.of(dataSource)
                : Optional.ofNullable(routing.get().getResolvedDefaultDataSource())
                        .flatMap(DefaultTarget::of);
    }

    private static Optional<AbstractRoutingDataSource> routing(DataSource dataSource) {
        try {
            return dataSource.isWrapperFor(AbstractRoutingDataSource.class)
                    ? Optional.of(dataSource.unwrap(AbstractRoutingDataSource.class))
                    : Optional.empty();
        } catch (SQLException | RuntimeException e) {
            return Optional.empty(); // a source need not know what it wraps
        }
    }
}
