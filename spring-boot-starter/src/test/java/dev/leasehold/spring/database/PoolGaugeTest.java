package dev.leasehold.spring.database;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.testkit.ForwardingDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.io.IOException;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;

class PoolGaugeTest {

    private final TestDatabase database = TestPostgres.freshDatabase();

    @Test
    void aPoolIsSeenThroughWhatWrapsItAndIsFullOnceAllOfItIsLent() throws Exception {
        try (var pool = new HikariDataSource()) {
            pool.setJdbcUrl(database.jdbcUrl());
            pool.setMaximumPoolSize(1);
            var gauge = new PoolGauge(new LazyConnectionDataSourceProxy(pool));
            assertThat(gauge.isKnown()).isTrue();
            assertThat(gauge.isFull()).as("before its first use").isFalse();
            try (var lent = pool.getConnection()) {
                assertThat(lent.isClosed()).isFalse();
                assertThat(gauge.isFull()).isTrue();
                assertThat(gauge.isWaitedFor()).isFalse();
            }
            assertThat(gauge.isFull()).isFalse();
            assertThat(gauge.size()).isEqualTo("pool of 1");
        }
    }

    /** A limit may be unknown, or none. */
    @ParameterizedTest
    @CsvSource({"2, 3, true, false", "3, 3, true, true", ", 3, true, false", "2, -1, false, false", "2, , false, false"
    })
    void ofOtherPoolsIsKnownWhatSpringBootKnows(
            @Nullable Integer active, @Nullable Integer max, boolean isKnown, boolean isFull) {
        var gauge = new PoolGauge(database.dataSource(), source -> new PoolCounts(source, active, max));
        assertThat(gauge.isKnown()).isEqualTo(isKnown);
        assertThat(gauge.isFull()).isEqualTo(isFull);
        assertThat(gauge.size()).isEqualTo(isKnown ? "pool of 3" : "pool of unknown size");
    }

    @Test
    void aSourceThatHasNoRouteFromHereIsOneOfWhichNothingIsKnown() {
        var gauge = new PoolGauge(new ForwardingDataSource(database.dataSource()) {
            @Override
            public boolean isWrapperFor(Class<?> type) {
                throw new IllegalStateException("Cannot determine target DataSource for lookup key [null]");
            }
        });
        assertThat(gauge.isKnown()).isFalse();
        assertThat(gauge.isFull()).isFalse();
    }

    @Test
    void whereHikariIsMissingNothingIsKnownAndNothingFails() throws Exception {
        Object gauge = new WithoutHikari()
                .loadClass(PoolGauge.class.getName())
                .getConstructor(DataSource.class)
                .newInstance(database.dataSource());
        for (String question : new String[] {"isKnown", "isFull", "isWaitedFor"}) {
            assertThat(gauge.getClass().getMethod(question).invoke(gauge)).isEqualTo(false);
        }
        assertThat(gauge.getClass().getMethod("size").invoke(gauge)).isEqualTo("pool of unknown size");
    }

    /** Loads the package under test anew, and no class of the pool. */
    private static final class WithoutHikari extends ClassLoader {

        WithoutHikari() {
            super(PoolGaugeTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("com.zaxxer.hikari")) {
                throw new ClassNotFoundException(name);
            }
            if (!name.startsWith(PoolGauge.class.getName())) {
                return super.loadClass(name, resolve);
            }
            try (var file = getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = Objects.requireNonNull(file).readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
