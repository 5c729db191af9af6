package dev.leasehold.watch.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.watch.running.RunningInstance;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class LoopbackOnlyTest {

    private static RunningInstance instance;

    @BeforeAll
    static void start() {
        instance = RunningInstance.on(TestPostgres.freshDatabase());
    }

    @AfterAll
    static void stop() {
        instance.close();
    }

    @Test
    void addressIsLoopbackUnlessSaidOtherwise() {
        assertThat(instance.context().getEnvironment().getProperty("server.address"))
                .isEqualTo("127.0.0.1");
    }

    @Test
    void otherAddressesOfThisMachineAreNotListenedOn() throws Exception {
        List<InetAddress> others = otherAddresses();
        assumeTrue(!others.isEmpty(), "this machine has loopback addresses only");

        connect(InetAddress.getLoopbackAddress());
        for (InetAddress other : others) {
            assertThatThrownBy(() -> connect(other)).as("%s", other).isInstanceOf(ConnectException.class);
        }
    }

    private static List<InetAddress> otherAddresses() throws SocketException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> !address.isLoopbackAddress())
                .toList();
    }

    private static void connect(InetAddress address) throws Exception {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, instance.port()), 5000);
        }
    }
}
