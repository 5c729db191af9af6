package dev.leasehold.watch.uptime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.security.Security;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationListener;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** What is set is read once a JVM, so this runs in JVMs of its own. */
class NetworkSettingsTest {

    @Test
    void applicationAppliesThemWhenItStarts() {
        assertThat(SpringFactoriesLoader.forDefaultResourceLocation().load(ApplicationListener.class))
                .hasAtLeastOneElementOfType(NetworkSettings.class);
    }

    @Test
    void addressesAndFailedLookUpsAreRememberedForSecondsOnly() throws Exception {
        assertThat(runInOwnJvm(Remembered.class)).isZero();
    }

    @Test
    void operatorsOwnValueStays() throws Exception {
        assertThat(runInOwnJvm(OperatorsOwn.class, "-Dnetworkaddress.cache.ttl=77"))
                .isZero();
    }

    private static int runInOwnJvm(Class<?> main, String... options) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        command.addAll(
                List.of("-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), main.getName()));
        Process process = new ProcessBuilder(command).inheritIO().start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }

    static final class Remembered {
        private Remembered() {}

        public static void main(String[] args) {
            NetworkSettings.apply();
            boolean bounded = "30".equals(Security.getProperty("networkaddress.cache.ttl"))
                    && "5".equals(Security.getProperty("networkaddress.cache.negative.ttl"));
            System.exit(bounded ? 0 : 1);
        }
    }

    static final class OperatorsOwn {
        private OperatorsOwn() {}

        public static void main(String[] args) {
            NetworkSettings.apply();
            System.exit("77".equals(Security.getProperty("networkaddress.cache.ttl")) ? 0 : 1);
        }
    }
}
