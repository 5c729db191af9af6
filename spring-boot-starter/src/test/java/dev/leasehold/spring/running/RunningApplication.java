package dev.leasehold.spring.running;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** An application with all there is on the class path, on an embedded web server. */
public final class RunningApplication implements AutoCloseable {

    private final ConfigurableApplicationContext context;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    private RunningApplication(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** With the endpoints health and leases over HTTP, all details shown, and these properties. */
    public static RunningApplication on(String jdbcUrl, String... properties) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--spring.main.banner-mode=off",
                "--spring.flyway.enabled=false",
                "--spring.liquibase.enabled=false",
                "--management.endpoints.web.exposure.include=health,leases",
                "--management.endpoint.health.show-details=always",
                "--spring.datasource.url=" + jdbcUrl));
        for (String property : properties) {
            arguments.add("--" + property);
        }
        return new RunningApplication(
                new SpringApplicationBuilder(Everything.class).run(arguments.toArray(String[]::new)));
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    public HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(request(path).GET().build(), BodyHandlers.ofString());
    }

    public HttpResponse<String> delete(String path) throws IOException, InterruptedException {
        return client.send(request(path).DELETE().build(), BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        String port = context.getEnvironment().getRequiredProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(20));
    }

    @Override
    public void close() {
        context.close();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Everything {}
}
