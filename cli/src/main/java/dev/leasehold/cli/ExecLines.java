package dev.leasehold.cli;

import com.google.gson.JsonObject;
import java.io.PrintWriter;

/** What {@code exec} says besides, on standard error; its standard output is the command's. */
record ExecLines(PrintWriter err, boolean isVerbose) {

    /** What somebody ought to know. */
    void warn(String line) {
        err.println("leasehold: " + PlainText.inALine(line));
        err.flush();
    }

    /** What only those want to know who have asked. */
    void tell(String line) {
        if (isVerbose) {
            warn(line);
        }
    }

    /** For programs. */
    void json(JsonObject document) {
        err.println(Json.inALine(document));
        err.flush();
    }
}
