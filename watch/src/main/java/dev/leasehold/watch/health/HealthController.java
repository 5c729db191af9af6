package dev.leasehold.watch.health;

import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** For whoever starts this process again, and for whoever sends it requests. */
@RestController
final class HealthController {

    private final Readiness readiness;

    HealthController(Readiness readiness) {
        this.readiness = readiness;
    }

    /** The process answers: nothing is said of the database, whose loss no restart would cure. */
    @GetMapping(path = "/up", produces = MediaType.TEXT_PLAIN_VALUE)
    ResponseEntity<String> up() {
        return ResponseEntity.ok().cacheControl(CacheControl.noStore()).body("up\n");
    }

    @GetMapping(path = "/health/ready", produces = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<Verdict> ready() throws InterruptedException {
        Verdict verdict = readiness.ask();
        return ResponseEntity.status(verdict.isReady() ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE)
                .cacheControl(CacheControl.noStore())
                .body(verdict);
    }
}
