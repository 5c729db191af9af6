package dev.leasehold.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Prints what is wrong with a property in a few lines instead of a stack trace. */
final class InvalidPropertyFailureAnalyzer extends AbstractFailureAnalyzer<InvalidPropertyException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidPropertyException cause) {
        return new FailureAnalysis(cause.description(), cause.action(), cause);
    }
}
