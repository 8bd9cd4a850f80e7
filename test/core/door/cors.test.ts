/** Preflights, and the fields of an answer. @module */
import { describe, expect, it } from "vitest";
import { answerPreflight, writeCors } from "../../../src/core/door/cors.ts";
import type { Grant } from "../../../src/core/address/authority.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { rowsOf } from "../../support/rows.ts";

const LISTED = "https://app.test";

const PREFLIGHT = { origin: LISTED, "access-control-request-method": "PUT" };

it.each([
  { about: "a method with a space", method: "PUT X", names: "x-a" },
  { about: "a method with a line end", method: "PUT\r\nx: 1", names: "x-a" },
  { about: "names with a line end", method: "PUT", names: "x-a\r\nset-cookie: a=1" },
  { about: "names with a control byte", method: "PUT", names: "x-\u0001" },
])("a preflight with fields that must not come back is refused: $about", ({ method, names }) => {
  const headers = new Fields([
    ["origin", LISTED],
    ["access-control-request-method", method],
    ["access-control-request-headers", names],
  ]);
  const { incoming, config } = exchangeOf({ method: "OPTIONS", options: { corsOrigins: LISTED } });
  expect(() => answerPreflight({ incoming: { ...incoming, headers }, config }, "listed"))
    .toThrow(expect.objectContaining({ code: "bad_request" }));
});

describe("answerPreflight", () => {
  it.each(rowsOf(["about", "method", "fields"], [
    ["a GET", "GET", PREFLIGHT],
    ["an OPTIONS of a page", "OPTIONS", { origin: LISTED }],
    ["an OPTIONS without Origin", "OPTIONS", { "access-control-request-method": "PUT" }],
  ]))("leaves $about alone", ({ method, fields }) => {
    expect(answerPreflight(exchangeOf({ method, fields, options: { corsOrigins: "*" } }), "any"))
      .toBeUndefined();
  });

  it.each(rowsOf(["about", "fields", "adds"], [
    ["the method", {}, {}],
    ["the headers", { "access-control-request-headers": "x-a,authorization" }, {
      "access-control-allow-headers": "x-a,authorization",
    }],
    ["the private network", { "access-control-request-private-network": "true" }, {
      "access-control-allow-private-network": "true",
    }],
  ]))("grants $about", ({ fields, adds }) => {
    const exchange = exchangeOf({ method: "OPTIONS", fields: { ...PREFLIGHT, ...fields } });
    const answer = answerPreflight(exchange, "listed");
    expect(answer?.status).toBe(204);
    expect(Object.fromEntries(answer?.headers ?? [])).toEqual({
      "access-control-allow-methods": "PUT",
      "access-control-max-age": "600",
      "vary": "Access-Control-Request-Method, Access-Control-Request-Headers",
      ...adds,
    });
  });
});

/** The fields of an answer after `writeCors`. */
function written(
  grant: Grant,
  set: string | undefined,
  answer: Record<string, string>,
  request: Parameters<typeof exchangeOf>[0] = { fields: { origin: LISTED } },
) {
  const { incoming, runtime, config } = exchangeOf({ ...request, options: { corsOrigins: set } });
  const headers = new Headers(answer);
  writeCors(headers, incoming, runtime, config, grant);
  return Object.fromEntries(headers);
}

const TARGETS_OWN = {
  "access-control-allow-origin": "https://target.test",
  "access-control-allow-credentials": "true",
  "access-control-allow-methods": "DELETE",
  "access-control-allow-headers": "x-target",
  "access-control-expose-headers": "x-target",
  "access-control-max-age": "1",
};

describe("writeCors", () => {
  it.each([
    { about: "a browser on loopback", runtime: { listensOnLoopback: true }, site: "none", vary: "Origin" },
    { about: "another program", runtime: { listensOnLoopback: true }, site: undefined, vary: undefined },
    { about: "a browser elsewhere", runtime: {}, site: "none", vary: undefined },
  ])("varies beside loopback origins for $about: $vary", ({ runtime, site, vary }) => {
    const answer = written("none", undefined, { "x-a": "1" }, {
      runtime,
      fields: { "sec-fetch-site": site },
    });
    expect(answer).toEqual({ "x-a": "1", ...(vary && { vary }) });
  });

  it("varies by nothing where the answer is the same for all", () =>
    expect(written("any", "*", { "x-a": "1", vary: "Accept" })).toEqual({
      "x-a": "1",
      vary: "Accept",
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "*",
    }));

  it("keeps what the proxy says to a preflight", () => {
    const own = { "access-control-allow-methods": "PUT", "access-control-max-age": "600" };
    const fields = { origin: LISTED, "access-control-request-method": "PUT" };
    expect(written("any", "*", own, { method: "OPTIONS", fields })).toMatchObject(own);
  });

  it("replaces what a target says to an OPTIONS that is no preflight", () =>
    expect(written("any", "*", TARGETS_OWN, { method: "OPTIONS", fields: { origin: LISTED } }))
      .toEqual({ "access-control-allow-origin": "*", "access-control-expose-headers": "*" }));

  it("names no cookie", () => {
    const fields = written("listed", LISTED, { "set-cookie": "a=1", "x-a": "1" });
    expect(fields["access-control-expose-headers"]).toBe("vary, x-a");
  });
});
