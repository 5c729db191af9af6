package dev.leasehold.launcher;

import java.util.ArrayList;
import java.util.List;

/** One JVM of Watch: {@code place} is its place in the whole list; {@code instance} counts from 1 within the node. */
record Node(String name, int instance, int instances, int place, int port) {

    /** node-a, node-b, ...: as many instances each as asked for, a port each. */
    static List<Node> plan(int nodes, int instances, List<Integer> ports) {
        List<Node> plan = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            for (int instance = 1; instance <= instances; instance++) {
                int place = plan.size();
                plan.add(new Node("node-" + (char) ('a' + node), instance, instances, place, ports.get(place)));
            }
        }
        return List.copyOf(plan);
    }

    String label() {
        return instances == 1 ? name : name + "/" + instance;
    }

    String logName() {
        return label().replace('/', '-');
    }

    String url() {
        return "http://localhost:" + port;
    }
}
