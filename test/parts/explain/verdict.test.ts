/** The verdict, and what it is read from. @module */
import { tokenRules } from "../../../src/parts/tokens/caller-token.ts";
import { describe, expect, it } from "vitest";
import type { CallerToken } from "../../../src/core/exchange/findings.ts";
import { ProxyError } from "../../../src/core/http/error.ts";
import { judgeTarget, refusalOf } from "../../../src/parts/explain/verdict.ts";
import type { Options } from "../../../src/core/settings/config.ts";
import { checkAccess } from "../../../src/core/steps/access.ts";
import { buildRequest } from "../../../src/core/steps/request.ts";
import { exchangeOf, type Request } from "../../support/parts-exchange.ts";
import { hooksOf, NO_HOOKS } from "../../../src/core/exchange/hooks.ts";
import { readTable } from "../../../src/parts/gate/targets/table.ts";
import { makeReport } from "../../../src/parts/report/part.ts";
import { hooksFor } from "../../support/table.ts";
import { tokenOf } from "../../support/token.ts";
import { rowsOf } from "../../support/rows.ts";

const resolve = () => Promise.resolve(["93.184.215.14"]);
const STEPS = { checkAccess, buildRequest };
const RUNTIME = { clientAddress: "127.0.0.1", listensOnLoopback: true, resolve };

function judge(address: string, request: Request = {}, looksUp = false, token?: CallerToken) {
  const origin = new URL(address);
  const target = { selector: "url" as const, origin, path: "/", basePath: "" };
  const exchange = { ...exchangeOf({ runtime: RUNTIME, ...request }), ...(token && { token }) };
  return judgeTarget(exchange, target, STEPS, looksUp);
}

describe("judgeTarget", () => {
  it.each([
    { address: "http://a.test", looksUp: false, rule: "not_looked_up" },
    { address: "http://a.test", looksUp: true, rule: "addresses" },
    { address: "http://localhost:3000", looksUp: false, rule: "addresses" },
    { address: "http://10.1.2.3", looksUp: false, rule: "addresses" },
  ])("allows $address by $rule (look-ups: $looksUp)", async ({ address, looksUp, rule }) => {
    expect(await judge(address, {}, looksUp)).toMatchObject({ allowed: true, rule });
  });

  it("says the setting that would allow it", async () =>
    expect(await judge("http://localhost:1", { options: { privateTargets: false } }))
      .toMatchObject({ allowed: false, rule: "address_prohibited", setting: "ALLOW_TARGETS=localhost:1" }));

  it.each([
    { claims: { methods: ["POST"] }, looksUp: false },
    { claims: { methods: ["POST"] }, looksUp: true },
    { claims: { paths: ["/v1/"] }, looksUp: false },
    { claims: { paths: ["/v1/"] }, looksUp: true },
  ])("refuses what the caller's token does not allow: $claims (look-ups: $looksUp)", async (row) => {
    const token = tokenOf(row.claims);
    expect(await judge("http://a.test", {}, row.looksUp, token))
      .toMatchObject({ allowed: false, rule: "forbidden" });
  });

  it.each(rowsOf(["about", "looksUp", "isReported", "told"], [
    ["goes to this machine over http too", true, false, { allowed: true, rule: "addresses" }],
    ["may lead there if it is not looked up", false, false, { allowed: true, rule: "not_looked_up" }],
    ["is let pass", true, true, { allowed: true, rule: "forbidden", wouldRefuse: true }],
    ["is let pass, if its addresses are not refused", false, true, {
      allowed: true,
      rule: "not_looked_up",
      wouldRefuse: true,
      reason: expect.stringMatching(/^Depends: .*it was not resolved.*methods of the caller's token/),
    }],
  ]))("knows that a name with a key $about", async ({ looksUp, isReported, told }) => {
    const set = { "x-key": "{{KEY}}" };
    const { decide: _, ...table } = hooksFor(readTable({ "own.test": { set } }, { variable: () => "key" }));
    const pardon = makeReport({ audit: { to: "stderr", isLoose: false } }).rules!()!.pardon!;
    const runtime = { ...RUNTIME, resolve: () => Promise.resolve(["127.0.0.1"]) };
    const exchange = {
      ...exchangeOf({ runtime }),
      parts: { ...NO_HOOKS, ...table, pardon: isReported ? [pardon] : [] },
      ...isReported && { token: tokenOf({ methods: ["POST"] }) },
    };
    const target = { selector: "url" as const, origin: new URL("http://own.test"), path: "/", basePath: "" };
    expect(await judgeTarget(exchange, target, STEPS, looksUp)).toMatchObject(told);
  });

  it("refuses an address that holds a caller's token", async () => {
    const path = `/?key=fv1.e30.${"A".repeat(43)}`;
    const target = { selector: "url" as const, origin: new URL("http://a.test"), path, basePath: "" };
    const told = (options: Options) =>
      judgeTarget(exchangeOf({ runtime: RUNTIME, options }), target, STEPS, false);
    expect(await told({ signingKey: "k" })).toMatchObject({ allowed: false, rule: "bad_request" });
    expect(await told({})).toMatchObject({ allowed: true });
  });

  it.each(rowsOf(["about", "fields", "allowed"], [
    ["below the base", { destination: "/b" }, true],
    ["elsewhere", { destination: "http://localhost:8080/../b" }, false],
    ["that does not go out", { destination: "/../b", connection: "destination" }, true],
  ]))("judges the fields as they would go out: a second path $about", async ({ fields, allowed }) => {
    const origin = new URL("http://a.test");
    const target = { selector: "header" as const, origin, path: "/v1/p", basePath: "/v1" };
    const token = tokenOf({ paths: ["/v1/"] });
    const parts = hooksOf([tokenRules({ revoked: new Set() })]);
    const exchange = { ...exchangeOf({ runtime: RUNTIME, fields }), parts, token };
    expect(await judgeTarget(exchange, target, STEPS, true)).toMatchObject({ allowed });
  });

  it("refuses what the sender cannot take another way", async () => {
    const options = { upstreamProxy: "http://up.test:3128" };
    expect(await judge("http://a.test", { options }))
      .toMatchObject({ allowed: false, rule: "not_implemented" });
    const runtime = { ...RUNTIME, obeysRoute: true };
    expect(await judge("http://a.test", { options, runtime })).toMatchObject({ allowed: true });
  });

  it("passes on faults of its own", async () => {
    const broken = () => {
      throw new TypeError("broken");
    };
    const target = { selector: "url" as const, origin: new URL("http://a.test"), path: "/", basePath: "" };
    await expect(judgeTarget(exchangeOf(), target, { checkAccess: broken, buildRequest }, true)).rejects
      .toThrow("broken");
  });
});

it("refusalOf tells code, message and setting", () =>
  expect(refusalOf(new ProxyError("forbidden", "Cannot", { setting: "A=b" }), {}))
    .toEqual({ allowed: false, rule: "forbidden", reason: "Cannot", setting: "A=b" }));
