package dev.leasehold.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** One connection through a {@link Wire}: copies both ways, and fails as the wire says. */
final class WireLine {

    private enum Answers {
        PASS,
        NONE,
        ALL_BUT_THE_LAST_BYTE
    }

    private final Wire wire;
    private final Socket client;
    private final Socket database;
    private volatile boolean silent;
    private volatile Answers answers = Answers.PASS;
    private volatile Duration delay = Duration.ZERO;

    WireLine(Wire wire, Socket client, Socket database) {
        this.wire = wire;
        this.client = client;
        this.database = database;
    }

    /** From the client to the database, until one of them ends. */
    void requests() {
        byte[] buffer = new byte[65_536];
        try (client;
                database) {
            InputStream in = client.getInputStream();
            OutputStream out = database.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                Optional<Wire.Fault> fault = wire.faultOf(buffer, read);
                if (fault.isPresent() && !goesOnAfter(fault.get())) {
                    return;
                }
                delay = wire.delayOf(buffer, read);
                if (!silent && (wire.mode() == Wire.Mode.WHOLE || wire.mode() == Wire.Mode.ANSWERS_LOST)) {
                    out.write(buffer, 0, read);
                }
            }
        } catch (IOException e) {
            // an end of the connection is gone, so the other goes too
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            wire.ended(client);
            wire.ended(database);
        }
    }

    private boolean goesOnAfter(Wire.Fault fault) throws IOException, InterruptedException {
        switch (fault) {
            case CUT_BEFORE_SEND -> {
                reset();
                return false;
            }
            case CUT_AFTER_APPLY -> answers = Answers.NONE;
            case CUT_IN_MID_REPLY -> answers = Answers.ALL_BUT_THE_LAST_BYTE;
            case SILENCE -> silent = true;
            case HELD -> wire.gate().await();
        }
        return true;
    }

    /** From the database to the client, until one of them ends. */
    void answers() {
        byte[] buffer = new byte[65_536];
        try (client;
                database) {
            InputStream in = database.getInputStream();
            OutputStream out = client.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                Answers now = answers;
                TimeUnit.NANOSECONDS.sleep(delay.toNanos());
                if (now != Answers.NONE && !silent && wire.mode() == Wire.Mode.WHOLE) {
                    out.write(buffer, 0, now == Answers.PASS ? read : read - 1);
                }
                if (now != Answers.PASS) {
                    reset();
                    return;
                }
            }
        } catch (IOException e) {
            // an end of the connection is gone, so the other goes too
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void reset() throws IOException {
        if (answers != Answers.ALL_BUT_THE_LAST_BYTE) {
            // Closes by a reset, which would also take back what is on its way to the client.
            client.setSoLinger(true, 0);
        }
        Wire.closeQuietly(client);
        Wire.closeQuietly(database);
    }
}
