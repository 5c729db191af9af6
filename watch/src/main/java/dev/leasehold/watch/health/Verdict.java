package dev.leasehold.watch.health;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/** What the readiness probe is told. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Verdict(
        @JsonProperty("status") String status,
        @JsonProperty("reason") @Nullable String reason,
        @JsonProperty("detail") @Nullable String detail) {

    static Verdict ready() {
        return new Verdict("ready", null, null);
    }

    static Verdict unready(String reason, String detail) {
        return new Verdict("unready", reason, detail);
    }

    @JsonIgnore
    boolean isReady() {
        return reason == null;
    }
}
