package dev.leasehold.cli;

import dev.leasehold.doctor.Budget;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a role of a budget: {@code web=2x4}, or {@code web=2x4x1} with an overlap of its own. */
final class RoleText implements ITypeConverter<RoleText.Written> {

    private static final Pattern WRITTEN = Pattern.compile("([^=]+)=(\\d{1,9})x(\\d{1,9})(?:x(\\d{1,9}))?");
    private static final int OVERLAP = 4;

    /** As it is written; without an overlap it has that of the others. */
    record Written(
            String name, int instances, int pool, @Nullable Integer overlap) {

        Budget.Role withOverlap(int usual) {
            return new Budget.Role(name, instances, overlap == null ? usual : overlap, pool);
        }
    }

    @Override
    public Written convert(String text) {
        Matcher written = WRITTEN.matcher(text);
        if (!written.matches()) {
            throw new TypeConversionException("it is \"" + PlainText.inALine(text)
                    + "\", but must be NAME=INSTANCESxPOOL, or NAME=INSTANCESxPOOLxOVERLAP, such as web=2x4");
        }
        String overlap = written.group(OVERLAP);
        return new Written(
                written.group(1),
                Integer.parseInt(written.group(2)),
                Integer.parseInt(written.group(3)),
                overlap == null ? null : Integer.valueOf(overlap));
    }
}
