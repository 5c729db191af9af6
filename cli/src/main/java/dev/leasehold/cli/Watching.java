package dev.leasehold.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Shows a view again and again: in place on a screen, else one after the other. */
final class Watching {

    private static final String OTHER_SCREEN = "\u001b[?1049h\u001b[?25l";
    private static final String FIRST_SCREEN = "\u001b[?25h\u001b[?1049l";
    private static final String HOME = "\u001b[H";
    private static final String END_OF_LINE = "\u001b[K\r\n";
    private static final String REST_OF_SCREEN = "\u001b[J";

    private final Output output;
    private final Map<String, String> environment;
    private final Duration every;
    private boolean isOver;

    Watching(Output output, Map<String, String> environment, Duration every) {
        this.output = output;
        this.environment = environment;
        this.every = every;
    }

    /**
     * Until the process ends, nobody reads what is written, or the thread is interrupted.
     *
     * @throws RuntimeException what the first look throws; a later one that fails is told, and the next one may be well
     */
    void show(View view) {
        if (output.isJson()) {
            again(() -> view.show(output.with(output.out(), Output.Form.DOCUMENTS, output.terminal())));
        } else if (output.terminal().isScreen()) {
            inPlace(view);
        } else {
            again(() -> {
                view.show(output);
                output.line("");
            });
        }
    }

    private void inPlace(View view) {
        List<String> first = page(view);
        var restore = new Thread(this::restore, "restore-screen");
        Runtime.getRuntime().addShutdownHook(restore);
        write(OTHER_SCREEN);
        try {
            overwrite(first);
            while (pause()) {
                overwrite(pageOrError(view));
            }
        } finally {
            restore();
            Runtime.getRuntime().removeShutdownHook(restore);
        }
    }

    private void again(Runnable once) {
        once.run();
        while (hasReader() && pause()) {
            try {
                once.run();
            } catch (RuntimeException e) {
                output.note(ErrorLine.of(e));
            }
        }
    }

    /** A pipe may have been closed at its other end. */
    private boolean hasReader() {
        return !output.out().checkError();
    }

    private boolean pause() {
        try {
            Thread.sleep(every.toMillis());
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private List<String> pageOrError(View view) {
        try {
            return page(view);
        } catch (RuntimeException e) {
            return List.of(output.paint().red(ErrorLine.of(e)));
        }
    }

    /** As many lines as the terminal has, less one for the cursor. */
    private List<String> page(View view) {
        var text = new StringWriter();
        Terminal terminal = output.terminal().again(environment);
        view.show(output.with(new PrintWriter(text), Output.Form.TEXT, terminal));
        return text.toString().lines().limit(terminal.size().lines() - 1L).toList();
    }

    /** Line for line over what was there, so that nothing flickers. */
    private void overwrite(List<String> lines) {
        write(HOME
                + String.join("", lines.stream().map(line -> line + END_OF_LINE).toList())
                + REST_OF_SCREEN);
    }

    /** Nothing is written after it: Ctrl-C may come in the middle of a look. */
    private synchronized void restore() {
        if (!isOver) {
            write(FIRST_SCREEN);
            isOver = true;
        }
    }

    private synchronized void write(String text) {
        if (!isOver) {
            output.out().print(text);
            output.out().flush();
        }
    }
}
