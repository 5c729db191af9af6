package dev.leasehold.watch.domains;

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

/** Domains for programs. One that the file names comes back at the next start of an instance that reads the file. */
@RestController
@RequestMapping("/api/domains")
final class DomainApi {

    private final Domains domains;

    DomainApi(Domains domains) {
        this.domains = domains;
    }

    @GetMapping
    List<Domain> all() {
        return domains.all();
    }

    @GetMapping("/{nameOrId}")
    Domain one(@PathVariable("nameOrId") String nameOrId) {
        return find(nameOrId);
    }

    @PostMapping
    ResponseEntity<Domain> add(@RequestBody NewDomain wanted) {
        DomainName name = DomainName.parse(wanted.name());
        Domain added = domains.add(name).orElseThrow(() -> new DuplicateException("domain", name.text()));
        return ResponseEntity.created(URI.create("/api/domains/" + added.id())).body(added);
    }

    @DeleteMapping("/{nameOrId}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void remove(@PathVariable("nameOrId") String nameOrId) {
        domains.remove(find(nameOrId).id());
    }

    private Domain find(String nameOrId) {
        return domains.find(nameOrId).orElseThrow(() -> new NotFoundException("domain", nameOrId));
    }

    record NewDomain(@Nullable String name) {}
}
