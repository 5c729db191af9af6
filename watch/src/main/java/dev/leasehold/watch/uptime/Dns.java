package dev.leasehold.watch.uptime;

import java.util.ArrayList;
import java.util.List;
import org.xbill.DNS.ExtendedResolver;
import org.xbill.DNS.Name;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.ResolverConfig;
import org.xbill.DNS.TextParseException;

/**
 * The DNS as this node is configured to ask it.
 *
 * @param search what is appended, one after the other, to a name with fewer dots than {@code ndots}
 */
record Dns(Resolver resolver, List<Name> search, int ndots) {

    static Dns ofThisNode() {
        ResolverConfig.refresh();
        ResolverConfig config = ResolverConfig.getCurrentConfig();
        return new Dns(new ExtendedResolver(), config.searchPath(), config.ndots());
    }

    /** What a name may stand for: itself, and where it has few dots, what the search list makes of it. */
    List<Name> meaningsOf(String host) throws TextParseException {
        List<Name> meanings = new ArrayList<>();
        meanings.add(Name.fromString(host, Name.root));
        boolean absolute =
                host.endsWith(".") || host.chars().filter(c -> c == '.').count() >= ndots;
        for (Name suffix : absolute ? List.<Name>of() : search) {
            meanings.add(Name.fromString(host, suffix));
        }
        return meanings;
    }
}
