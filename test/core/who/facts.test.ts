/** Who asks is read once for fields that come again, and anew as soon as anything else differs. @module */
import { describe, expect, it } from "vitest";
import { type Facts, readFacts } from "../../../src/core/who/facts.ts";
import type { Incoming } from "../../../src/core/runtime.ts";
import { Memory } from "../../../src/core/exchange/exchange.ts";
import { type FieldReader, Fields, KeptFields } from "../../../src/core/http/fields.ts";
import { type Options, readOptions } from "../../../src/core/settings/config.ts";
import { BROWSER } from "../../support/browser-fields.ts";
import { LENT, TICKET } from "../../support/exchange.ts";

type Given = Parameters<typeof readFacts>[1];
type FieldList = [name: string, value: string][];

const URL_OF = "http://localhost:8080/";
const HOST: FieldList = [["host", "localhost:8080"]];
const GIVEN: Given = {
  runtime: { clientAddress: "127.0.0.1", listensOnLoopback: true },
  config: readOptions({}),
  grant: "none",
  ticket: TICKET,
  memory: LENT.memory,
};

const keptOf = (fields: FieldList = HOST) => new KeptFields(new Fields(fields));
const configOf = (options: Options): Partial<Given> => ({ config: readOptions(options) });

function read(headers: FieldReader, given: Partial<Given> = {}, url = URL_OF): Facts {
  const incoming: Incoming = {
    method: "GET",
    url,
    headers,
    body: null,
    signal: new AbortController().signal,
  };
  const { caller, carried, asker } = readFacts(incoming, { ...GIVEN, ...given });
  return { caller, carried, asker };
}

describe("fields that come again", () => {
  it.each([
    { about: "a program", fields: HOST },
    { about: "a program that names a host", fields: [...HOST, ["proxy_host", "https://a.test"]] },
    { about: "a program with a malformed selector", fields: [...HOST, ["proxy_host", "evil"]] },
    { about: "a browser", fields: [...HOST, ...Object.entries(BROWSER.typed)] },
    { about: "a page", fields: [...HOST, ["origin", "https://evil.test"]] },
    { about: "a label", fields: [["host", "a-test.w.localhost:8080"]] },
    { about: "no Host", fields: [] },
  ] as { about: string; fields: FieldList }[])("are read once: of $about", ({ fields }) => {
    const headers = keptOf(fields);
    const first = read(headers);
    const second = read(headers);
    expect([second.caller === first.caller, second.carried === first.carried]).toEqual([true, true]);
    expect(second).toEqual(read(new Fields(fields)));
  });

  it.each(["/other?x", "/__proxy__/?url=http://b.test"])(
    "are read once whatever they ask for: %s",
    (path) => {
      const headers = keptOf();
      expect(read(headers, {}, `http://localhost:8080${path}`).caller).toBe(read(headers).caller);
    },
  );

  it("are read once if only the path came, too", () => {
    const headers = keptOf();
    expect(read(headers, {}, "/a").caller).toBe(read(headers, {}, "/b").caller);
  });

  it("share nothing with equal fields that are other objects", () => {
    const facts = read(keptOf());
    const other = read(keptOf());
    expect(other).toEqual(facts);
    expect([other.caller === facts.caller, other.carried === facts.carried]).toEqual([false, false]);
  });
});

describe("what else decides", () => {
  const SCRIPT: FieldList = [...HOST, ...Object.entries(BROWSER.script), ["x-fetchvia-ticket", TICKET]];
  const PAGE: FieldList = [...HOST, ["origin", "http://localhost:5173"]];
  const LABEL: FieldList = [["host", "api.w.localhost:8080"]];

  it.each([
    {
      about: "another caller",
      fields: HOST,
      given: { runtime: { ...GIVEN.runtime, clientAddress: "192.0.2.1" } },
      facts: { caller: { address: "192.0.2.1" } },
    },
    {
      about: "other settings",
      fields: LABEL,
      given: configOf({ proxyLabels: "api=https://api.test/v1" }),
      facts: { carried: { label: { path: "/v1" } } },
    },
    { about: "another grant", fields: PAGE, given: { grant: "listed" }, facts: { asker: "granted" } },
    {
      about: "another proxy with its ticket",
      fields: SCRIPT,
      given: { ticket: "another", memory: new Memory() },
      facts: { asker: "page" },
    },
    {
      about: "https",
      fields: HOST,
      given: {},
      url: "https://localhost:8080/",
      facts: { caller: { isSecure: true, origin: "https://localhost:8080" } },
    },
    {
      about: "a front proxy that is trusted",
      fields: [...HOST, ["x-forwarded-proto", "https"], ["x-forwarded-for", "192.0.2.9"]],
      given: configOf({ trustedProxies: "127.0.0.1" }),
      facts: { caller: { address: "192.0.2.9", isSecure: true } },
    },
  ] as { about: string; fields: FieldList; given: Partial<Given>; url?: string; facts: object }[])(
    "has them read anew, and so does what was before: $about",
    ({ fields, given, url, facts }) => {
      const headers = keptOf(fields);
      const before = read(headers);
      expect(before).not.toMatchObject(facts);
      const other = read(headers, given, url);
      expect(other).toMatchObject(facts);
      expect(other).toEqual(read(new Fields(fields), given, url));
      expect(other.caller).not.toBe(before.caller);
      expect(read(headers)).toEqual(before);
    },
  );

  it.each([
    { about: "a runtime", given: { runtime: { ...GIVEN.runtime } } },
    { about: "settings", given: configOf({}) },
  ] as { about: string; given: Partial<Given> }[])(
    "is the same only as the same object: $about",
    ({ given }) => {
      const headers = keptOf();
      const before = read(headers);
      const other = read(headers, given);
      expect(other).toEqual(before);
      expect(other.caller).not.toBe(before.caller);
    },
  );

  it.each([
    { about: "that says https", fields: [...HOST, ["x-forwarded-proto", "https"]] },
    { about: "that says nothing", fields: HOST },
  ] as { about: string; fields: FieldList }[])(
    "may follow from a trusted proxy, so nothing is kept behind one $about",
    ({ fields }) => {
      const headers = keptOf(fields);
      const given = configOf({ trustedProxies: "127.0.0.1" });
      const first = read(headers, given);
      const second = read(headers, given);
      expect(second).toEqual(first);
      expect(second.caller).not.toBe(first.caller);
    },
  );
});

it("fields that do not come again are read each time", () => {
  const headers = new Fields(HOST);
  const first = read(headers);
  const second = read(headers);
  expect(second).toEqual(first);
  expect([second.caller === first.caller, second.carried === first.carried]).toEqual([false, false]);
});

it.each(["a b", "a.test:99999", "a.test, b.test", "a.test:x"])(
  "the malformed Host %s is refused each time",
  (host) => {
    const headers = keptOf([["host", host]]);
    const malformed = expect.objectContaining({ code: "bad_request" });
    expect(() => read(headers)).toThrow(malformed);
    expect(() => read(headers)).toThrow(malformed);
  },
);
