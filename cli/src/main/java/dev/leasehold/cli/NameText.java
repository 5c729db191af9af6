package dev.leasehold.cli;

import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the name of a lease, a round or a table. A URL there would be kept and shown as a name, with its password. */
final class NameText implements ITypeConverter<String> {

    private static final Pattern CONNECTION = Pattern.compile("(?is)(jdbc:)?postgres(ql)?://.*|.*password\\s*=.*");

    @Override
    public String convert(String text) {
        if (CONNECTION.matcher(text).matches()) {
            throw new TypeConversionException("it says how to connect: that is a URL, and goes after --url");
        }
        return text;
    }
}
