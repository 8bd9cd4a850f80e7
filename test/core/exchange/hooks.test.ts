/** What the parts do in the steps, asked one after the other. @module */
import { describe, expect, it } from "vitest";
import { readAddressParameter, readQuery } from "../../../src/core/address/query.ts";
import { ADDRESS_FORMS } from "../../../src/core/address/address.ts";
import {
  changeResponse,
  decideHop,
  findEntry,
  hooksOf,
  limitExchange,
  NO_HOOKS,
} from "../../../src/core/exchange/hooks.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { exchangeOf as partsExchangeOf, type Request } from "../../support/parts-exchange.ts";
import { words } from "../../support/rows.ts";
import { tableOf } from "../../support/table.ts";
import { tokenOf } from "../../support/token.ts";

const ORIGIN = new URL("https://a.test");
const TARGET = { origin: ORIGIN, path: "/", basePath: "", selector: "url" } as const;
const entry = tableOf({ "a.test": {} }).entries[0]!;

it("lists what each part has, in their order, and can't be changed", () => {
  const [find, other] = [() => undefined, () => entry];
  const hooks = hooksOf([{ find }, {}, { find: other }]);
  expect(hooks.find).toEqual([find, other]);
  expect(Object.isFrozen(hooks)).toBe(true);
  const { answersAlike, ...lists } = NO_HOOKS;
  expect([answersAlike, new Set(Object.values(lists).map(({ length }) => length))])
    .toEqual([true, new Set([0])]);
});

it.each(
  [
    { rules: [{ answersAlike: true, answer: () => {} }, { find: () => undefined }], alike: true },
    { rules: [{ answersAlike: true, answer: () => {} }, { answer: () => {} }], alike: false },
    { rules: [{ answersAlike: true }, { answer: () => {} }], alike: false },
  ] as const,
)("says whether all responses of a plan are alike: $alike", ({ rules, alike }) => {
  expect(hooksOf(rules).answersAlike).toBe(alike);
});

it("asks every part: the first refusal counts, limits add up, headers change in turn, the first entry is found", () => {
  const refuse = (reason: string) => () => {
    throw new Error(reason);
  };
  const parts = hooksOf([{
    limit: (exchange) => ({ ...exchange, path: "/1" }),
    answer: (headers) => headers.set("x-a", "1"),
    find: () => undefined,
  }, {
    decide: refuse("first"),
    limit: (exchange) => ({ ...exchange, path: `${exchange.path}2` }),
    answer: (headers) => headers.set("x-b", headers.get("x-a") ?? ""),
    find: () => entry,
  }, { decide: refuse("second"), find: () => ({ ...entry }) }]);
  const exchange = { ...exchangeOf(), parts };
  const headers = new Fields();
  changeResponse(exchange, headers, {}, ORIGIN);
  expect(() => decideHop(exchange, TARGET, "GET", TARGET)).toThrow("first");
  expect(limitExchange(exchange, ORIGIN).path).toBe("/12");
  expect([...headers]).toEqual([["x-a", "1"], ["x-b", "1"]]);
  expect(findEntry(parts, ORIGIN)).toBe(entry);
});

it("asks the caller's token too, which a header for keys may have carried", () => {
  const asked = (fields: string[], claims = {}) => () =>
    decideHop({ ...exchangeOf(), token: tokenOf(claims, { fields }) }, TARGET, "GET", TARGET);
  expect(asked([])).not.toThrow();
  expect(asked(["x-api-key"])).toThrow("takes no key in x-api-key");
  expect(asked([], { methods: ["POST"] })).toThrow("method GET is not in methods");
  expect(asked([], { paths: ["/v1/"] })).toThrow("this path is not in paths");
});

it("changes nothing without parts", () => {
  const exchange = exchangeOf();
  expect(limitExchange(exchange, ORIGIN)).toBe(exchange);
  expect(findEntry(NO_HOOKS, ORIGIN)).toBeUndefined();
});

const ALL = { addressForms: [...ADDRESS_FORMS] };

describe("a path in a form", () => {
  it.each([
    { path: "/https://a.test/x?y=1&z=%26", form: "cors-anywhere", address: "https://a.test/x?y=1&z=%26" },
    { path: "/?https://a.test/x?y=1&z=%2B+#", form: "corsproxy", address: "https://a.test/x?y=1&z=%2B+" },
    { path: "/?url=https%3A%2F%2Fa.test%2F%2525", form: "corsproxy", address: "https://a.test/%25" },
    { path: "/?scalar_url=https%3A%2F%2Fa.test%2F%C3%A9", form: "scalar", address: "https://a.test/é" },
    { path: "/a.test/r/git-upload-pack", form: "git", address: "https://a.test/r/git-upload-pack" },
    { path: "/?url=", form: "corsproxy", address: "" },
  ])("$path becomes the link to $address", ({ path, form, address }) => {
    const exchange = partsExchangeOf({ path, options: ALL });
    expect(exchange.form?.name).toBe(form);
    expect(exchange.path).toMatch(/^\/__proxy__\/\?url=[^&?]*$/);
    expect(readAddressParameter(readQuery(exchange.path))).toBe(address);
  });

  it.each<Request & { about: string }>([
    { about: "no form is asked for", options: {} },
    { about: "another form is asked for", options: { addressForms: ["git", "scalar", "corsproxy"] } },
    { about: "a header names a target", fields: { proxy_host: "https://b.test" } },
    { about: "a header is malformed", fields: { proxy_host: "b" } },
    { about: "a cookie names a target", fields: { cookie: "proxy_host=https://b.test" } },
    { about: "a cookie is malformed", fields: { cookie: "proxy_host=b" } },
    { about: "a label names a target", fields: { host: "b-test.w.localhost" } },
    { about: "a label is malformed", fields: { host: "-.w.localhost" } },
    { about: "there is a default target", options: { ...ALL, target: "https://b.test" } },
  ])("stays as it is where $about", (request) => {
    const exchange = partsExchangeOf({ options: ALL, ...request, path: "/https://a.test/x" });
    expect(exchange).toMatchObject({ path: "/https://a.test/x", form: undefined });
  });

  it.each(words`/ /x /__proxy__ /__proxy__/fetch?arg=x /__proxy__/?host=https://a.test
    /__proxy__/info/refs?service=git-upload-pack`)("%s is in none", (path) => {
    expect(partsExchangeOf({ path, options: ALL })).toMatchObject({ path, form: undefined });
  });
});
