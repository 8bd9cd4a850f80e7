/** Requests by host and route. @module */
import { describe, expect, it } from "vitest";
import { groupEntries, sortGroups } from "../../../src/console/traffic/groups-view.ts";
import { routeOf } from "../../../src/console/traffic/row-route.ts";
import { rowsOf } from "../../support/rows.ts";
import { entryOf } from "./entries.ts";

describe("the route of a request", () => {
  it.each(rowsOf(["path", "route"], [
    ["/users/42", "/users/:id"],
    ["/users/42/orders/7", "/users/:id/orders/:id"],
    ["/v1/users", "/v1/users"],
    ["/v2/days/2026-11-28", "/v2/days/:id"],
    ["/f/3f2504e0-4f89-11d3-9a0c-0305e82c3301", "/f/:id"],
    ["/commits/525db57a", "/commits/:id"],
    ["/o/01ARZ3NDEKTSV4RRFFQ69G5FAV", "/o/:id"],
    ["/deadbeef/decade", "/deadbeef/decade"],
    ["/internationalization-guide", "/internationalization-guide"],
    ["/app.3f2504e0.js", "/app.3f2504e0.js"],
    ["/7?page=2", "/:id"],
    ['/a,b"c d/', "/a%2Cb%22c%20d/"],
    ["", ""],
  ]))("$path is $route", ({ path, route }) => {
    expect(routeOf({ address: `https://api.test:8443${path}` })).toBe(`api.test:8443${route}`);
  });

  it("is the host alone, or nothing, where there is no address", () =>
    expect([routeOf({ target: "api.test" }), routeOf({})]).toEqual(["api.test", ""]));
});

describe("groups", () => {
  const at = (path: string, fields = {}) => entryOf({ address: `http://a.test${path}`, ...fields });
  const groups = groupEntries([
    ...Array.from({ length: 20 }, (_, index) => at(`/u/${index}`, { totalMs: 20 - index })),
    at("/u/20", { isRunning: true, status: 0, totalMs: 0 }),
    at("/b", { status: 404, totalMs: 5 }),
    at("/b", { status: 200, error: "target_timeout", totalMs: 7 }),
    at("/b", { status: 200, error: "caller_gone", totalMs: 9 }),
    at("/c", { isRunning: true, status: 0 }),
  ]);

  it("count what they hold, and rank the times of those that have ended", () =>
    expect(groups).toEqual([
      { route: "a.test/u/:id", count: 21, errors: 0, p50: 10, p95: 19 },
      { route: "a.test/b", count: 3, errors: 2, p50: 7, p95: 9 },
      { route: "a.test/c", count: 1, errors: 0, p50: undefined, p95: undefined },
    ]));

  it.each(rowsOf(["column", "isUp", "order"], [
    ["count", false, "u/:id b c"],
    ["route", true, "b c u/:id"],
    ["errors", false, "b u/:id c"],
    ["p50", true, "c b u/:id"],
    ["p95", false, "u/:id b c"],
  ]))("are sorted by $column, upwards: $isUp", ({ column, isUp, order }) => {
    const routes = sortGroups(groups, { column, isUp }).map(({ route }) => route.replace("a.test/", ""));
    expect(routes.join(" ")).toBe(order);
  });
});
