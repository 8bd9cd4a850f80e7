/** Who asks, by the fields and by what else decides. @module */
import { describe, expect, it } from "vitest";
import { readFacts } from "../../../src/core/who/facts.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import { type Options, readOptions } from "../../../src/core/settings/config.ts";
import { BROWSER } from "../../support/browser-fields.ts";
import { TICKET } from "../../support/exchange.ts";

type Given = Parameters<typeof readFacts>[1];
type FieldList = [name: string, value: string][];

const HOST: FieldList = [["host", "localhost:8080"]];
const GIVEN: Given = {
  runtime: { clientAddress: "127.0.0.1", listensOnLoopback: true },
  config: readOptions({}),
  grant: "none",
};

const configOf = (options: Options): Partial<Given> => ({ config: readOptions(options) });

function read(
  fields: FieldList,
  given: Partial<Given> = {},
  url = "http://localhost:8080/",
  ticket = TICKET,
) {
  const { signal } = new AbortController();
  const incoming = { method: "GET", url, headers: new Fields(fields), body: null, signal };
  return readFacts(incoming, { ...GIVEN, ...given }, ticket);
}

describe("who asks", () => {
  const SCRIPT: FieldList = [...HOST, ...Object.entries(BROWSER.script), ["x-fetchvia-ticket", TICKET]];

  it.each([
    { about: "a program", fields: HOST, facts: { asker: "program", caller: { address: "127.0.0.1" } } },
    {
      about: "another caller",
      fields: HOST,
      given: { runtime: { ...GIVEN.runtime, clientAddress: "192.0.2.1" } },
      facts: { caller: { address: "192.0.2.1" } },
    },
    {
      about: "a label",
      fields: [["host", "api.w.localhost:8080"]],
      given: configOf({ proxyLabels: "api=https://api.test/v1" }),
      facts: { carried: { label: { path: "/v1" } } },
    },
    {
      about: "a granted page",
      fields: [...HOST, ["origin", "http://localhost:5173"]],
      given: { grant: "listed" },
      facts: { asker: "granted" },
    },
    { about: "the console", fields: SCRIPT, facts: { asker: "console" } },
    { about: "the console of another proxy", fields: SCRIPT, ticket: "another", facts: { asker: "page" } },
    {
      about: "a caller over https",
      fields: HOST,
      url: "https://localhost:8080/",
      facts: { caller: { isSecure: true, origin: "https://localhost:8080" } },
    },
    {
      about: "a caller behind a front proxy that is trusted",
      fields: [...HOST, ["x-forwarded-proto", "https"], ["x-forwarded-for", "192.0.2.9"]],
      given: configOf({ trustedProxies: "127.0.0.1" }),
      facts: { caller: { address: "192.0.2.9", isSecure: true } },
    },
  ] as {
    about: string;
    fields: FieldList;
    given?: Partial<Given>;
    url?: string;
    ticket?: string;
    facts: object;
  }[])(
    "is read: $about",
    ({ fields, given, url, ticket, facts }) => expect(read(fields, given, url, ticket)).toMatchObject(facts),
  );

  it.each(["a b", "a.test:99999", "a.test, b.test", "a.test:x"])(
    "is refused with the malformed Host %s",
    (host) => {
      expect(() => read([["host", host]])).toThrow(expect.objectContaining({ code: "bad_request" }));
    },
  );
});
