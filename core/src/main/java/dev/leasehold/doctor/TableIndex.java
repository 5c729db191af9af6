package dev.leasehold.doctor;

import java.util.List;
import java.util.Optional;

/**
 * An index of a table.
 *
 * @param name with its schema, quoted where that is needed
 * @param constraint that it serves
 * @param columns that it depends on
 */
record TableIndex(String name, Optional<String> constraint, List<String> columns) {}
