package dev.leasehold;

import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Puts what is asked at the same moment into one statement, so that it costs one round trip and one commit. A question that
 * comes while the lane is busy joins the batch that waits for its turn; alone, it is a batch of one. Of several questions
 * with one key the first is sent, and its answer is everybody's. Thread-safe.
 *
 * @param <K> what the question is about
 * @param <Q> what is asked
 * @param <A> what is answered
 */
final class Batcher<K, Q, A> {

    private static final int MOST_KEYS = 100;

    private final Lane lane;
    private final Sending<K, Q, A> sending;
    private @Nullable Batch waiting;

    /** Makes the attempt that will send what is asked by then. */
    @FunctionalInterface
    interface Sending<K, Q, A> {
        Attempt<Map<K, A>> attempt(Supplier<Map<K, Q>> questions, Duration bound);
    }

    Batcher(Lane lane, Sending<K, Q, A> sending) {
        this.lane = lane;
        this.sending = sending;
    }

    /**
     * The answer for that key; empty if there is none.
     *
     * @throws UnknownOutcomeException if none came within the bound, for all of the batch; or if this thread was
     *     interrupted (its flag stays set), while the others wait on
     */
    Optional<A> ask(K key, Q question, Duration bound) throws SQLException {
        Batch batch = join(key, question, bound);
        try {
            return Optional.ofNullable(batch.ticket.get(bound).get(key));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw leave(batch);
        } catch (SQLException e) {
            batch.close(); // it was given up, perhaps while it still waits for a connection: nobody else may join
            throw e;
        }
    }

    private synchronized Batch join(K key, Q question, Duration bound) throws SQLException {
        Batch batch = waiting;
        if (batch == null || batch.isClosed || batch.questions.size() == MOST_KEYS) {
            batch = new Batch(bound);
            waiting = batch;
        }
        batch.questions.putIfAbsent(key, question);
        batch.askers++;
        return batch;
    }

    /** The last to leave gives the attempt up. */
    private UnknownOutcomeException leave(Batch batch) {
        synchronized (this) {
            batch.askers--;
            if (batch.askers > 0) {
                return new UnknownOutcomeException("interrupted while waiting for the answer", true);
            }
            batch.isClosed = true;
        }
        return batch.ticket.giveUp("interrupted while waiting for the answer");
    }

    private final class Batch {

        private final Map<K, Q> questions = new LinkedHashMap<>();
        private final Lane.Ticket<Map<K, A>> ticket;
        private int askers;
        private boolean isClosed;

        Batch(Duration bound) throws SQLException {
            this.ticket = lane.enqueue(sending.attempt(this::closed, bound));
        }

        /** Once a connection is there: who comes later joins the next batch. */
        private Map<K, Q> closed() {
            close();
            return questions;
        }

        private void close() {
            synchronized (Batcher.this) {
                isClosed = true;
            }
        }
    }
}
