/** A plan serves the next request only while everything that its decisions read stays the same. @module */
import { describe, expect, it } from "vitest";
import { NO_HOOKS } from "../../../src/core/exchange/hooks.ts";
import { Fields, KeptFields } from "../../../src/core/http/fields.ts";
import { Plans, withIncoming } from "../../../src/core/exchange/plan.ts";
import type { Plan } from "../../../src/core/exchange/exchange.ts";
import { readOptions } from "../../../src/core/settings/config.ts";
import { exchangeOf } from "../../support/exchange.ts";

type Basis = Parameters<Plans["find"]>[1];
type FieldList = [name: string, value: string][];

const HOST: FieldList = [["host", "localhost:8080"], ["x-a", "1"], ["x-b", "2"]];
const URL_OF = "http://localhost:8080/";
const BASIS: Basis = {
  runtime: { clientAddress: "127.0.0.1", listensOnLoopback: true },
  config: readOptions({}),
  parts: NO_HOOKS,
};

const keptOf = (fields: FieldList) => new KeptFields(new Fields(fields));

/** The plan of a request without one of the earlier requests. */
function find(plans: Plans, headers = keptOf(HOST), basis: Partial<Basis> = {}, url = URL_OF): Plan {
  return plans.find({ headers, url }, { ...BASIS, ...basis });
}

describe("the plan of a head", () => {
  it.each([
    { about: "the same path", url: URL_OF },
    { about: "another path", url: "http://localhost:8080/__proxy__/?url=http://b.test" },
    { about: "only a path", url: "/b" },
  ])("is found again: $about", ({ url }) => {
    const plans = new Plans();
    const headers = keptOf(HOST);
    expect(find(plans, headers, {}, url)).toBe(find(plans, headers));
  });

  it("is found again by an unchanged copy of the fields, and by no changed one", () => {
    const plans = new Plans();
    const headers = keptOf(HOST);
    const plan = find(plans, headers);
    const copy = new Fields(headers);
    expect(plans.find({ headers: copy, url: URL_OF }, BASIS)).toBe(plan);
    copy.set("x-a", "2");
    expect(plans.find({ headers: copy, url: URL_OF }, BASIS)).not.toBe(plan);
  });

  it.each([
    { about: "the caller's address", basis: { runtime: { ...BASIS.runtime, clientAddress: "192.0.2.1" } } },
    { about: "the listener", basis: { runtime: { ...BASIS.runtime, listensOnLoopback: false } } },
    { about: "another runtime that says the same", basis: { runtime: { ...BASIS.runtime } } },
    { about: "the settings", basis: { config: readOptions({}) } },
    { about: "the parts", basis: { parts: { ...NO_HOOKS } } },
    { about: "the scheme", url: "https://localhost:8080/" },
    { about: "another proxy", plans: new Plans() },
    { about: "a value", headers: keptOf([["host", "localhost:8080"], ["x-a", "2"], ["x-b", "2"]]) },
    { about: "a name", headers: keptOf([["host", "localhost:8080"], ["x-c", "1"], ["x-b", "2"]]) },
    { about: "the order", headers: keptOf([["host", "localhost:8080"], ["x-b", "2"], ["x-a", "1"]]) },
    { about: "a line more", headers: keptOf([...HOST, ["x-b", "2"]]) },
    { about: "a line less", headers: keptOf(HOST.slice(0, 2)) },
    { about: "the same fields, read anew", headers: keptOf(HOST) },
  ] as { about: string; basis?: Partial<Basis>; url?: string; plans?: Plans; headers?: KeptFields }[])(
    "falls with $about",
    ({ basis, url, plans, headers }) => {
      const own = new Plans();
      const first = keptOf(HOST);
      const plan = find(own, first);
      const other = find(plans ?? own, headers ?? first, basis, url);
      expect(other).not.toBe(plan);
      expect(other.facts).toBeUndefined();
    },
  );

  it("is that of the shape, and holds no free value", () => {
    const plans = new Plans();
    const shape = new KeptFields(new Fields([...HOST, ["cookie", "a=1"]]), ["cookie"]);
    const [plan, again] = ["a=2", "a=3"].map((cookie) =>
      plans.find({ headers: shape.fill([cookie]), url: URL_OF }, BASIS)
    );
    expect([again, plan!.isKept, plan!.head.get("cookie")]).toEqual([plan, true, ""]);
    expect(find(plans, keptOf([...HOST, ["cookie", ""]]))).not.toBe(plan);
  });

  it.each([
    { about: "no Host", headers: keptOf([["x-a", "1"]]) },
    { about: "fields that do not come again", headers: new Fields(HOST) as KeptFields },
  ])("is not kept: $about", ({ headers }) => {
    const plans = new Plans();
    const plan = find(plans, headers);
    expect(plan.isKept).toBe(false);
    expect(find(plans, headers)).not.toBe(plan);
  });

  it("does not serve another request in its place", () => {
    const exchange = exchangeOf();
    const { incoming } = exchangeOf({ fields: { "x-other": "1" } });
    const { plan } = withIncoming(exchange, incoming);
    expect([plan.head, plan.isKept, plan === exchange.plan]).toEqual([incoming.headers, false, false]);
  });
});
