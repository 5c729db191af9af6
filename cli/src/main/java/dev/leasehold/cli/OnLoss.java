package dev.leasehold.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** What becomes of a command whose lease is not known to be held any more. */
enum OnLoss {
    GO_ON("go-on"),
    TERMINATE("terminate");

    private final String word;

    OnLoss(String word) {
        this.word = word;
    }

    /** Reads the words of the command line. */
    static final class Words implements ITypeConverter<OnLoss> {

        @Override
        public OnLoss convert(String text) {
            for (OnLoss one : values()) {
                if (one.word.equals(text)) {
                    return one;
                }
            }
            throw new TypeConversionException(
                    "it is \"" + PlainText.inALine(text) + "\", but must be go-on or terminate");
        }
    }
}
