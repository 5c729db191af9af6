package dev.leasehold.watch.page;

import dev.leasehold.watch.nodes.ThisInstance;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

/** The page, and the part of it that is fetched anew every two seconds. */
@Controller
final class PageController {

    private final Snapshots snapshots;
    private final ThisInstance instance;
    private final PageViews views;

    PageController(Snapshots snapshots, ThisInstance instance, PageProperties properties) {
        this.snapshots = snapshots;
        this.instance = instance;
        this.views = new PageViews(instance, properties);
    }

    @GetMapping("/")
    String page(Model model, HttpServletResponse response) throws InterruptedException {
        fill(model, response);
        return "page";
    }

    @GetMapping("/live")
    String live(Model model, HttpServletResponse response) throws InterruptedException {
        fill(model, response);
        return "live";
    }

    private void fill(Model model, HttpServletResponse response) throws InterruptedException {
        response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        model.addAttribute("node", instance.node());
        model.addAttribute("url", instance.url());
        model.addAttribute("pid", instance.pid());
        Snapshots.Outcome outcome = snapshots.current();
        if (outcome instanceof Snapshots.Loaded loaded) {
            model.addAttribute("page", views.of(loaded.snapshot()));
        } else if (outcome instanceof Snapshots.Away away) {
            response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
            model.addAttribute("away", away.reason());
        }
    }
}
