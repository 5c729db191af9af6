package dev.leasehold.doctor;

import java.util.Optional;

/**
 * The keys on which tools that migrate schemas lock, as their sources compute them: {@code PostgreSQLAdvisoryLockTemplate} of
 * Flyway, {@code ActiveRecord::Migrator}, {@code GenerateAdvisoryLockId} of golang-migrate, the PostgreSQL flavour of Prisma's
 * schema engine.
 */
final class MigrationKeys {

    /** The letters of "Flyway", to which the hash code of the quoted name of its table is added. */
    private static final long FLYWAY = 0x466C_7977_6179L;

    private static final long PRISMA = 72_707_369L;
    private static final long RAILS = 2_053_462_845L;
    private static final long GOLANG_MIGRATE = 1_486_364_155L;
    private static final long UNSIGNED = 0xFFFF_FFFFL;

    private MigrationKeys() {}

    static Optional<String> meaning(long number, String database) {
        if (number == flyway("public", "flyway_schema_history")) {
            return Optional.of("Flyway, table flyway_schema_history of schema public");
        }
        if (number - FLYWAY >= Integer.MIN_VALUE && number - FLYWAY <= Integer.MAX_VALUE) {
            return Optional.of("Flyway, another table");
        }
        if (number == PRISMA) {
            return Optional.of("Prisma Migrate");
        }
        if (number == RAILS * HashedName.crc(database)) {
            return Optional.of("Rails migrations");
        }
        boolean isGolangMigrate =
                number == golangMigrate("public\0schema_migrations\0" + database) || number == golangMigrate(database);
        return isGolangMigrate ? Optional.of("golang-migrate") : Optional.empty();
    }

    static long flyway(String schema, String table) {
        return FLYWAY + (SqlText.identifier(schema) + "." + SqlText.identifier(table)).hashCode();
    }

    private static long golangMigrate(String name) {
        return HashedName.crc(name) * GOLANG_MIGRATE & UNSIGNED;
    }
}
