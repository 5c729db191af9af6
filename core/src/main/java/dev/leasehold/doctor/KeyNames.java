package dev.leasehold.doctor;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is known of keys: a hash cannot be turned back, so each name that may be meant is hashed, in each way that is usual.
 *
 * @param database whose keys they are
 */
record KeyNames(List<HashedName> names, String database) {

    /** The hash codes that Java has for shorter ones are small numbers, which others take as they are. */
    private static final int SHORTEST_OF_CLIENTS = 4;

    private static final int MOST_LOCKS = 3;

    KeyNames {
        names = List.copyOf(names);
    }

    /** The key as it is, and what it stands for if that is known. */
    String words(AdvisoryKey key) {
        return meaning(key).map(meaning -> meaning + " = " + key).orElseGet(key::toString);
    }

    /** The first locks of a session, and how many more there are. */
    List<String> words(List<AdvisoryLock> held) {
        Stream<String> first = held.stream().limit(MOST_LOCKS).map(this::words);
        int more = held.size() - MOST_LOCKS;
        return (more > 0 ? Stream.concat(first, Stream.of("and " + more + " more")) : first).toList();
    }

    private String words(AdvisoryLock lock) {
        String key = lock.isHere() ? words(lock.key()) : lock.key().toString();
        return lock.isShared() ? key + ", shared" : key;
    }

    Optional<String> meaning(AdvisoryKey key) {
        return names.stream()
                .flatMap(name -> meaning(key, name).stream())
                .findFirst()
                .or(() -> key.isPair() ? Optional.empty() : MigrationKeys.meaning(key.number(), database));
    }

    private static Optional<String> meaning(AdvisoryKey key, HashedName name) {
        return (key.isPair() ? pair(key, name) : number(key.number(), name))
                .map(form -> form.replace("?", "'" + OneLine.text(name.name()) + "'"));
    }

    private static Optional<String> number(long number, HashedName name) {
        if (number == name.longHash()) {
            return Optional.of("hashtextextended(?, 0)");
        }
        if (number == name.shortHash()) {
            return Optional.of("hashtext(?)");
        }
        if (name.ownHash() != null && number == name.ownHash()) {
            return Optional.of("lease ?, in a statement of Leasehold");
        }
        if (name.name().length() < SHORTEST_OF_CLIENTS) {
            return Optional.empty();
        }
        if (number == name.name().hashCode()) {
            return Optional.of("hashCode of ? in Java");
        }
        return number == HashedName.crc(name.name()) ? Optional.of("CRC-32 of ?") : Optional.empty();
    }

    private static Optional<String> pair(AdvisoryKey key, HashedName name) {
        if (key.lower() == name.shortHash()) {
            return Optional.of("(" + key.upper() + ", hashtext(?))");
        }
        if (key.upper() == name.shortHash()) {
            return Optional.of("(hashtext(?), " + key.lower() + ")");
        }
        return Optional.empty();
    }
}
