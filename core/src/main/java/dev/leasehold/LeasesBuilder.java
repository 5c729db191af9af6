package dev.leasehold;

import dev.leasehold.internal.TableName;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Describes {@link Leases}; every setting has a default. Not thread-safe. */
public final class LeasesBuilder {

    static final Duration DEFAULT_TTL = Duration.ofMinutes(2);
    static final String DEFAULT_TABLE = TableShape.LEASES.name();

    /** With the renewal's one that leaves a pool of four a connection for the rest of the application. */
    private static final int AT_A_TIME = 2;

    private final DataSource dataSource;
    private final List<LeaseListener> listeners = new ArrayList<>();
    private final List<LeaseMetrics> metrics = new ArrayList<>();
    private Duration ttl = DEFAULT_TTL;
    private @Nullable Duration renewEvery;
    private @Nullable Duration margin;
    private TableName table = TableName.of(DEFAULT_TABLE);
    private SchemaMode schema = SchemaMode.CREATE;

    LeasesBuilder(DataSource dataSource) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
    }

    /** How long a lease lasts without renewal, 500 ms to 1 day. Default 2 min. */
    public LeasesBuilder ttl(Duration ttl) {
        this.ttl = ttl;
        return this;
    }

    /** How often leases are renewed: 50 ms to a third of the ttl. Default a quarter of the ttl. */
    public LeasesBuilder renewEvery(Duration renewEvery) {
        this.renewEvery = renewEvery;
        return this;
    }

    /**
     * How much earlier than the ttl a holder stops to trust its lease: more than zero, at most a third of the ttl. Default a
     * twelfth of the ttl.
     */
    public LeasesBuilder margin(Duration margin) {
        this.margin = margin;
        return this;
    }

    /**
     * The lease table, {@code table} or {@code schema.table}, each part exactly as PostgreSQL stores it. Without a schema
     * the role's search_path finds it. Default {@code leases}.
     */
    public LeasesBuilder table(String table) {
        this.table = TableName.of(table);
        return this;
    }

    /** What to do about the lease table in {@link #build()}. Default {@link SchemaMode#CREATE}. */
    public LeasesBuilder schema(SchemaMode schema) {
        this.schema = schema;
        return this;
    }

    /** Adds a listener. */
    public LeasesBuilder listener(LeaseListener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
        return this;
    }

    /** Adds metrics. */
    public LeasesBuilder metrics(LeaseMetrics some) {
        metrics.add(Objects.requireNonNull(some, "metrics"));
        return this;
    }

    /**
     * Looks after the lease table and starts the renewal.
     *
     * @throws IllegalArgumentException if the settings do not fit together; names the value and the rule
     * @throws LeaseException if the table is missing or could not be created
     */
    public Leases build() {
        var terms = new LeaseTerms(
                ttl, renewEvery == null ? ttl.dividedBy(4) : renewEvery, margin == null ? ttl.dividedBy(12) : margin);
        var background = new Background();
        var statements = new Statements(dataSource);
        var wiring = new Wiring(
                new LeaseTable(statements, table),
                new SlotTable(statements, table),
                new Lane("sender", AT_A_TIME),
                new Lane("renewal-sender", 1),
                background,
                new Listeners(listeners),
                new SafeMetrics(metrics),
                terms,
                Ticker.system());
        var look = new SchemaLook(dataSource, wiring.shared());
        try {
            look.after(new TableSchema(TableShape.LEASES, table), schema);
        } catch (SQLException e) {
            background.close();
            wiring.shared().close();
            wiring.renewal().close();
            wiring.listeners().close();
            throw new LeaseException(
                    "the lease table " + table.quoted() + " is not usable: " + e.getMessage() + Hint.of(e), e);
        }
        return new Leases(
                wiring,
                dataSource,
                new FenceTable(table),
                new OrderTable(statements, table, wiring.shared(), Wiring.LONGEST_WAIT),
                () -> new RunHistoryBuilder(statements, wiring, look, table, schema));
    }
}
