package dev.leasehold.watch.running;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.watch.WatchApplication;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.event.ApplicationContextInitializedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;

/** One instance of the service on a free port; it runs no rounds unless told to. */
public final class RunningInstance implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final ReentrantLock SETTING_UP_LOGGING = new ReentrantLock();

    private final ConfigurableApplicationContext context;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(PATIENCE).build();

    private RunningInstance(ConfigurableApplicationContext context) {
        this.context = context;
    }

    public static RunningInstance on(TestDatabase database, String... properties) {
        return with(List.of(), database.jdbcUrl(), properties);
    }

    /** With beans of the test's own, declared in plain classes. */
    public static RunningInstance with(List<Class<?>> beans, String jdbcUrl, String... properties) {
        List<Class<?>> sources = new ArrayList<>(beans);
        sources.add(WatchApplication.class);
        Map<String, String> arguments = new LinkedHashMap<>(Map.of(
                "spring.datasource.url", jdbcUrl,
                "server.port", "0",
                "watch.node", "node-a",
                "watch.run-rounds", "false"));
        for (String property : properties) {
            int equals = property.indexOf('=');
            arguments.put(property.substring(0, equals), property.substring(equals + 1));
        }
        return started(
                new SpringApplicationBuilder(sources.toArray(Class<?>[]::new)),
                arguments.entrySet().stream()
                        .map(argument -> "--" + argument.getKey() + "=" + argument.getValue())
                        .toArray(String[]::new));
    }

    /** A JVM has one logging system: instances that start at the same moment set it up one after the other. */
    private static RunningInstance started(SpringApplicationBuilder application, String... arguments) {
        SETTING_UP_LOGGING.lock();
        try {
            return new RunningInstance(
                    application.listeners(new LoggingIsSetUp()).run(arguments));
        } finally {
            letOthersSetUp();
        }
    }

    private static void letOthersSetUp() {
        if (SETTING_UP_LOGGING.isHeldByCurrentThread()) {
            SETTING_UP_LOGGING.unlock();
        }
    }

    private static final class LoggingIsSetUp implements ApplicationListener<ApplicationContextInitializedEvent> {

        @Override
        public void onApplicationEvent(ApplicationContextInitializedEvent event) {
            letOthersSetUp();
        }
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    public ConfigurableApplicationContext context() {
        return context;
    }

    public int port() {
        return Integer.parseInt(context.getEnvironment().getRequiredProperty("local.server.port"));
    }

    public HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(request(path).GET());
    }

    /**
     * The first answer that is not 503: on a busy machine the database may not answer within the bound of the service. None
     * is that, if there is none in a minute.
     */
    public HttpResponse<String> answered(String path) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        HttpResponse<String> answer = get(path);
        while (answer.statusCode() == 503 && System.nanoTime() - end < 0) {
            answer = get(path);
        }
        return answer;
    }

    public HttpResponse<String> postJson(String path, String json) throws IOException, InterruptedException {
        return send(request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json)));
    }

    public HttpResponse<String> delete(String path) throws IOException, InterruptedException {
        return send(request(path).DELETE());
    }

    /** A request of a browser, or of somebody who pretends to be one: the lines of its head and its body, as they are. */
    public String raw(String head, String body) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
            socket.setSoTimeout(Math.toIntExact(PATIENCE.toMillis()));
            String text = head.strip().replace("\n", "\r\n") + "\r\nConnection: close\r\nContent-Length: "
                    + body.length() + "\r\n\r\n" + body;
            socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(PATIENCE);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @Override
    public void close() {
        context.close();
    }
}
