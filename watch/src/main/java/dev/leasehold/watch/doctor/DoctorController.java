package dev.leasehold.watch.doctor;

import dev.leasehold.watch.nodes.ThisInstance;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

/** The page, without a script: each request is a look, or shows one of a moment ago. */
@Controller
final class DoctorController {

    private final Looks looks;
    private final ThisInstance instance;

    DoctorController(Looks looks, ThisInstance instance) {
        this.looks = looks;
        this.instance = instance;
    }

    @GetMapping("/doctor")
    String page(Model model, HttpServletResponse response) throws InterruptedException {
        response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        model.addAttribute("node", instance.node());
        Looks.Outcome outcome = looks.current();
        if (outcome instanceof Looks.Looked looked) {
            model.addAttribute("doctor", DoctorView.of(looked.diagnosis()));
        } else if (outcome instanceof Looks.Away away) {
            response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
            model.addAttribute("away", away.reason());
        }
        return "doctor";
    }
}
