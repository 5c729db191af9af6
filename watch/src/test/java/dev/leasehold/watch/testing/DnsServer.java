package dev.leasehold.watch.testing;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Header;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.Type;

/**
 * A DNS server on the loopback, over UDP and TCP, that speaks real packets and answers as a test says. A name it was
 * told nothing of does not exist. Thread-safe.
 */
public final class DnsServer implements AutoCloseable {

    /** How a name behaves other than by its records. */
    private enum Mood {
        SERVFAIL,
        REFUSED,
        SILENT,
        TRUNCATED_OVER_UDP,
        LOSES_FIRST
    }

    private final DatagramSocket udp;
    private final ServerSocket tcp;
    private final Map<Name, List<Record>> records = new ConcurrentHashMap<>();
    private final Map<Name, Mood> moods = new ConcurrentHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();

    public DnsServer() throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        tcp = new ServerSocket(0, 50, loopback);
        udp = new DatagramSocket(new InetSocketAddress(loopback, tcp.getLocalPort()));
        start("dns-udp", this::serveUdp);
        start("dns-tcp", this::serveTcp);
    }

    public int port() {
        return tcp.getLocalPort();
    }

    /** The server as a property says it. */
    public String hostAndPort() {
        return "127.0.0.1:" + port();
    }

    /** One TXT record of one or more strings; characters above U+007F stand for the byte of that value. */
    public DnsServer txt(String name, String... strings) {
        return add(new TXTRecord(
                named(name),
                DClass.IN,
                60,
                Arrays.stream(strings).map(DnsServer::escaped).toList()));
    }

    public DnsServer cname(String name, String target) {
        return add(new CNAMERecord(named(name), DClass.IN, 60, named(target)));
    }

    public DnsServer add(Record record) {
        records.computeIfAbsent(record.getName(), n -> new CopyOnWriteArrayList<>())
                .add(record);
        return this;
    }

    /** The name exists, and has no record of any type that is asked for. */
    public DnsServer empty(String name) {
        records.computeIfAbsent(named(name), n -> new CopyOnWriteArrayList<>());
        return this;
    }

    public DnsServer servfail(String name) {
        moods.put(named(name), Mood.SERVFAIL);
        return this;
    }

    public DnsServer refused(String name) {
        moods.put(named(name), Mood.REFUSED);
        return this;
    }

    public DnsServer silent(String name) {
        moods.put(named(name), Mood.SILENT);
        return this;
    }

    /** Over UDP the answer is cut, so that it has to be fetched over TCP. */
    public DnsServer truncatedOverUdp(String name) {
        moods.put(named(name), Mood.TRUNCATED_OVER_UDP);
        return this;
    }

    /** The first packet for the name is lost. */
    public DnsServer losesFirst(String name) {
        moods.put(named(name), Mood.LOSES_FIRST);
        return this;
    }

    /** Takes back what was said of a name. */
    public DnsServer forget(String name) {
        records.remove(named(name));
        moods.remove(named(name));
        return this;
    }

    /** Every question so far, as {@code "name TYPE udp|tcp"}, without the dot at the end. */
    public List<String> asked() {
        return List.copyOf(asked);
    }

    private static String escaped(String string) {
        StringBuilder zoneFile = new StringBuilder();
        string.chars().forEach(c -> zoneFile.append(String.format("\\%03d", c)));
        return zoneFile.toString();
    }

    private static Name named(String name) {
        try {
            return Name.fromString(name, Name.root);
        } catch (IOException e) {
            throw new IllegalArgumentException(name, e);
        }
    }

    private @Nullable Message answer(Message query, boolean overUdp) {
        Record question = query.getQuestion();
        Name name = question.getName();
        asked.add(name.toString(true) + " " + Type.string(question.getType()) + (overUdp ? " udp" : " tcp"));
        Message response = new Message(query.getHeader().getID());
        Header header = response.getHeader();
        header.setFlag(Flags.QR);
        header.setFlag(Flags.RD);
        header.setFlag(Flags.RA);
        response.addRecord(question, Section.QUESTION);
        Mood mood = moods.get(name);
        if (mood == Mood.SILENT || (mood == Mood.LOSES_FIRST && moods.remove(name, mood))) {
            return null;
        }
        if (mood == Mood.SERVFAIL || mood == Mood.REFUSED) {
            header.setRcode(mood == Mood.SERVFAIL ? Rcode.SERVFAIL : Rcode.REFUSED);
            return response;
        }
        if (mood == Mood.TRUNCATED_OVER_UDP && overUdp) {
            header.setFlag(Flags.TC);
            return response;
        }
        follow(name, question.getType(), response);
        return response;
    }

    /** Answers as a resolver does: the chain of CNAMEs first, then what is at its end. */
    private void follow(Name name, int type, Message response) {
        List<Record> here = records.get(name);
        if (here == null) {
            response.getHeader().setRcode(Rcode.NXDOMAIN);
        } else {
            List<Record> wanted = new ArrayList<>();
            for (Record record : here) {
                if (record.getType() == type || record.getType() == Type.CNAME) {
                    wanted.add(record);
                }
            }
            wanted.forEach(record -> response.addRecord(record, Section.ANSWER));
            for (Record record : wanted) {
                if (record instanceof CNAMERecord alias && type != Type.CNAME) {
                    if (response.getSection(Section.ANSWER).size() < 10) {
                        follow(alias.getTarget(), type, response);
                    }
                    return;
                }
            }
            if (!wanted.isEmpty()) {
                return;
            }
        }
        response.addRecord(
                new SOARecord(Name.root, DClass.IN, 60, named("ns.test"), named("host.test"), 1, 60, 60, 60, 60),
                Section.AUTHORITY);
    }

    private void serveUdp() throws IOException {
        byte[] buffer = new byte[4096];
        while (true) {
            DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
            udp.receive(packet);
            Message response = answer(new Message(Arrays.copyOf(buffer, packet.getLength())), true);
            if (response != null) {
                byte[] wire = response.toWire();
                udp.send(new DatagramPacket(wire, wire.length, packet.getSocketAddress()));
            }
        }
    }

    private void serveTcp() throws IOException {
        while (true) {
            Socket socket = tcp.accept();
            start("dns-tcp-connection", () -> serve(socket));
        }
    }

    private void serve(Socket socket) throws IOException {
        try (socket;
                var in = new DataInputStream(socket.getInputStream());
                var out = new DataOutputStream(socket.getOutputStream())) {
            while (true) {
                byte[] wire = in.readNBytes(in.readUnsignedShort());
                Message response = answer(new Message(wire), false);
                if (response != null) {
                    byte[] reply = response.toWire();
                    out.writeShort(reply.length);
                    out.write(reply);
                    out.flush();
                }
            }
        }
    }

    private interface Serving {
        void serve() throws IOException;
    }

    private static void start(String name, Serving serving) {
        Thread thread = new Thread(
                () -> {
                    try {
                        serving.serve();
                    } catch (IOException e) {
                        // closed, by the test or by the other end
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        udp.close();
        tcp.close();
    }
}
