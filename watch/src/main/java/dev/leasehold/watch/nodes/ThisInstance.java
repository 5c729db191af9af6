package dev.leasehold.watch.nodes;

import dev.leasehold.watch.WatchProperties;
import dev.leasehold.watch.values.HostName;
import java.net.URI;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Who this process is, to the others and to people. */
@Component
public final class ThisInstance {

    private final String node;
    private final long pid = ProcessHandle.current().pid();
    private final String id;
    private final @Nullable URI advertisedUrl;
    private final Environment environment;

    ThisInstance(WatchProperties properties, Environment environment) {
        byte[] random = new byte[4];
        new SecureRandom().nextBytes(random);
        this.node = properties.node();
        this.id = HostName.get() + ":" + pid + ":" + HexFormat.of().formatHex(random);
        this.advertisedUrl = properties.advertisedUrl();
        this.environment = environment;
    }

    /** Host name, process id, and what makes it new for each start of a process. */
    public String id() {
        return id;
    }

    public String node() {
        return node;
    }

    public long pid() {
        return pid;
    }

    /** As configured, else the address this instance listens on; the port is known once the web server listens. */
    public String url() {
        if (advertisedUrl != null) {
            return advertisedUrl.toString();
        }
        String port = environment.getProperty("local.server.port", environment.getProperty("server.port", "8080"));
        return "http://" + environment.getProperty("server.address", "127.0.0.1") + ":" + port;
    }
}
