package dev.leasehold.watch.monitors;

import dev.leasehold.watch.web.DuplicateException;
import dev.leasehold.watch.web.NotFoundException;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Monitors for programs. One that the file names comes back at the next start of an instance that reads the file. */
@RestController
@RequestMapping("/api/monitors")
final class MonitorApi {

    private final Monitors monitors;

    MonitorApi(Monitors monitors) {
        this.monitors = monitors;
    }

    @GetMapping
    List<MonitorJson> all() {
        return monitors.all().stream().map(MonitorJson::of).toList();
    }

    @GetMapping("/{nameOrId}")
    MonitorJson one(@PathVariable("nameOrId") String nameOrId) {
        return MonitorJson.of(find(nameOrId));
    }

    @PostMapping
    ResponseEntity<MonitorJson> add(@RequestBody NewMonitor wanted) {
        MonitorSpec spec = wanted.checked();
        Monitor added = monitors.add(spec).orElseThrow(() -> new DuplicateException("monitor", spec.name()));
        return ResponseEntity.created(URI.create("/api/monitors/" + added.id())).body(MonitorJson.of(added));
    }

    @DeleteMapping("/{nameOrId}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void remove(@PathVariable("nameOrId") String nameOrId) {
        monitors.remove(find(nameOrId).id());
    }

    private Monitor find(String nameOrId) {
        return monitors.find(nameOrId).orElseThrow(() -> new NotFoundException("monitor", nameOrId));
    }

    record NewMonitor(
            @Nullable String name,
            @Nullable String url,
            @Nullable String timeout,
            @Nullable String webhook) {

        MonitorSpec checked() {
            return MonitorSpec.parse(name, url, timeout, webhook);
        }
    }

    record MonitorJson(
            long id,
            String name,
            String url,
            String timeout,
            @Nullable String webhook,
            String source,
            String createdAt) {

        static MonitorJson of(Monitor monitor) {
            URI webhook = monitor.webhook();
            return new MonitorJson(
                    monitor.id(),
                    monitor.name(),
                    monitor.url().toString(),
                    monitor.timeout().toMillis() + "ms",
                    webhook == null ? null : webhook.toString(),
                    monitor.source(),
                    monitor.createdAt().toString());
        }
    }
}
