package dev.leasehold.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.leasehold.doctor.Budget;
import dev.leasehold.doctor.Capacity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A budget against a limit, as it is shown.
 *
 * @param usable how many connections there are; empty if nobody said
 * @param reserve how many of them are kept for people and tools
 * @param capacity of the server, if it was asked
 */
record BudgetView(Budget budget, Optional<Integer> usable, int reserve, Optional<Capacity> capacity) {

    /** What is there for the budget; negative if not even the reserve fits. */
    private Optional<Integer> limit() {
        return usable.map(connections -> connections - reserve);
    }

    /** Empty if there is no limit. */
    Optional<Boolean> fits() {
        return limit().map(budget::fits);
    }

    void show(Output to) {
        if (to.isJson()) {
            to.document(json());
            return;
        }
        to.table(table());
        to.line("");
        capacity.ifPresent(server -> {
            to.line("The server has " + connections(server.usable()) + " for role " + PlainText.inALine(server.role())
                    + " in database " + PlainText.inALine(server.database()) + ": "
                    + PlainText.inALine(server.words()) + ".");
            to.line("Connected now, whether budgeted or not: " + server.connected() + " in all, "
                    + server.connectedToDatabase() + " to that database, " + server.connectedAsRole()
                    + " as that role.");
        });
        limit().filter(left -> reserve > 0)
                .ifPresent(left -> to.line(connections(reserve) + " kept for people and tools leave " + left + "."));
        to.line(limit().map(this::verdict).orElseGet(this::withoutLimit));
    }

    private TextTable table() {
        var headings = new ArrayList<>(List.of("ROLE", "INSTANCES", "OVERLAP", "POOL", "CONNECTIONS"));
        limit().ifPresent(limit -> headings.add("LARGEST POOL"));
        var table = new TextTable(headings.toArray(String[]::new));
        for (Budget.Role role : budget.roles()) {
            var cells = new ArrayList<>(List.of(
                    role.name(),
                    String.valueOf(role.instances()),
                    String.valueOf(role.overlap()),
                    String.valueOf(role.pool()),
                    String.valueOf(role.connections())));
            limit().ifPresent(limit -> cells.add(String.valueOf(budget.largestPool(role, limit))));
            table.row(cells);
        }
        return table;
    }

    private String verdict(int limit) {
        int largest = budget.largestPool(limit);
        String pool = largest == 0
                ? "Not even pools of one fit."
                : "The largest pool that all roles could have is " + largest + ".";
        long left = budget.left(limit);
        return left >= 0
                ? "It fits: " + budget.needed() + " of " + limit + " are needed, " + left + " are left. " + pool
                : "It does not fit: " + budget.needed() + " of " + limit + " are needed, " + -left + " too many. "
                        + pool;
    }

    private String withoutLimit() {
        return connections(budget.needed()) + (budget.needed() == 1 ? " is" : " are") + " needed"
                + (reserve > 0 ? ", and " + reserve + " more for people and tools" : "")
                + "; no limit given: --limit, or a server to ask.";
    }

    private static String connections(long number) {
        return number == 1 ? "1 connection" : number + " connections";
    }

    private JsonObject json() {
        var roles = new JsonArray();
        for (Budget.Role role : budget.roles()) {
            roles.add(Json.object()
                    .with("name", role.name())
                    .with("instances", role.instances())
                    .with("overlap", role.overlap())
                    .with("pool", role.pool())
                    .with("connections", role.connections())
                    .with("largest_pool", limit().map(limit -> budget.largestPool(role, limit)))
                    .build());
        }
        return Json.object()
                .with("fits", fits())
                .with("needed", budget.needed())
                .with("limit", limit())
                .with("left", limit().map(budget::left))
                .with("largest_pool", limit().map(budget::largestPool))
                .with("reserve", reserve)
                .with("roles", roles)
                .with("server", capacity.<JsonElement>map(BudgetView::server).orElse(JsonNull.INSTANCE))
                .build();
    }

    private static JsonObject server(Capacity server) {
        return Json.object()
                .with("usable", server.usable())
                .with("max_connections", server.maxConnections())
                .with("superuser_reserved", server.superuserReserved())
                .with("reserved", server.reserved())
                .with("database", server.database())
                .with("database_limit", server.databaseLimit())
                .with("role", server.role())
                .with("role_limit", server.roleLimit())
                .with("connected", server.connected())
                .with("connected_to_database", server.connectedToDatabase())
                .with("connected_as_role", server.connectedAsRole())
                .build();
    }
}
