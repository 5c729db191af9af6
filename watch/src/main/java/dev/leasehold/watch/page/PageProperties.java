package dev.leasehold.watch.page;

import dev.leasehold.watch.values.StartRefusedException;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * @param staleAfter how old the newest result of a node may be before the page calls it stale: some periods of the checks
 */
@ConfigurationProperties("watch.page")
record PageProperties(@DefaultValue("60s") Duration staleAfter) {

    PageProperties {
        if (staleAfter.isZero() || staleAfter.isNegative()) {
            throw new StartRefusedException("watch.page.stale-after is '" + staleAfter + "': must be above zero");
        }
    }
}
