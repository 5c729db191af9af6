package dev.leasehold.examples.spring;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

@RestController
class InvoicesController {

    private final Invoices invoices;

    InvoicesController(Invoices invoices) {
        this.invoices = invoices;
    }

    @PostMapping("/invoices")
    long next(@RequestParam String customer) {
        return invoices.next(customer)
                .orElseThrow(() -> new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE, "others are busy"));
    }
}
