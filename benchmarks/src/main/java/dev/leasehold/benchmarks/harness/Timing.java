package dev.leasehold.benchmarks.harness;

/** How long single steps take on the calling thread. */
public final class Timing {

    /** What is timed, and gives what the next step needs. */
    @FunctionalInterface
    public interface Step<T> {
        T take(int turn) throws Exception;
    }

    /** What follows untimed. */
    @FunctionalInterface
    public interface After<T> {
        void take(T result) throws Exception;
    }

    /** What is timed and gives nothing. */
    @FunctionalInterface
    public interface Plain {
        void take(int turn) throws Exception;
    }

    private Timing() {}

    public static <T> double medianMicros(int times, Step<T> timed, After<T> untimed) throws Exception {
        double[] micros = new double[times];
        for (int turn = 0; turn < times; turn++) {
            long before = System.nanoTime();
            T result = timed.take(turn);
            micros[turn] = (System.nanoTime() - before) / 1e3;
            untimed.take(result);
        }
        return Median.of(micros);
    }

    public static double medianMicros(int times, Plain timed) throws Exception {
        return medianMicros(
                times,
                turn -> {
                    timed.take(turn);
                    return turn;
                },
                turn -> {});
    }
}
