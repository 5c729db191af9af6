package dev.leasehold.cli;

import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the name of a lease or a round, where psql would take a URL: that would be told to others as a name. */
final class NameText implements ITypeConverter<String> {

    private static final Pattern URL = Pattern.compile("(?is)(jdbc:)?postgres(ql)?://.*");

    @Override
    public String convert(String text) {
        if (URL.matcher(text).matches()) {
            throw new TypeConversionException("it is the URL of a database, which goes after --url");
        }
        return text;
    }
}
