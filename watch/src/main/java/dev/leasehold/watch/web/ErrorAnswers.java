package dev.leasehold.watch.web;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.servlet.ModelAndView;

/** Answers for requests that no controller took or ended: a page for browsers, problem details for programs. */
@Controller
@RequestMapping("/error")
final class ErrorAnswers implements ErrorController {

    @RequestMapping(produces = MediaType.TEXT_HTML_VALUE)
    ModelAndView page(HttpServletRequest request) {
        HttpStatus status = status(request);
        return new ModelAndView("error", Map.of("status", status.value(), "error", status.getReasonPhrase()), status);
    }

    @RequestMapping
    ResponseEntity<ProblemDetail> problem(HttpServletRequest request) {
        HttpStatus status = status(request);
        ProblemDetail problem = ProblemDetail.forStatus(status);
        // what went wrong here is for the log only
        if (status.is4xxClientError()
                && request.getAttribute(RequestDispatcher.ERROR_MESSAGE) instanceof String detail
                && !detail.isEmpty()) {
            problem.setDetail(detail);
        }
        return ResponseEntity.of(problem).build();
    }

    private static HttpStatus status(HttpServletRequest request) {
        @Nullable Object code = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        HttpStatus status = code instanceof Integer number ? HttpStatus.resolve(number) : null;
        // asked for by its own address, this is a page like any other that is not there
        return status == null ? HttpStatus.NOT_FOUND : status;
    }
}
