/** Who asks, by the fields and by what else decides. @module */
import { describe, expect, it } from "vitest";
import { readFacts } from "../../../src/core/who/facts.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import { type Options, readOptions } from "../../../src/core/settings/config.ts";
import { BROWSER } from "../../support/browser-fields.ts";
import { TICKET } from "../../support/exchange.ts";
import { typedRows } from "../../support/rows.ts";

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

interface Row {
  about: string;
  facts: object;
  fields: FieldList;
  given?: Partial<Given>;
  url?: string;
  ticket?: string;
}

const LABELLED = configOf({ proxyLabels: "api=https://api.test/v1" });
const SECURE = "https://localhost:8080";

describe("who asks", () => {
  const SCRIPT: FieldList = [...HOST, ...Object.entries(BROWSER.script), ["x-fetchvia-ticket", TICKET]];

  it.each(typedRows<Row>(["about", "facts", "fields", "given", "url", "ticket"], [
    ["a program", { asker: "program", caller: { address: "127.0.0.1" } }, HOST],
    ["another caller", { caller: { address: "192.0.2.1" } }, HOST, {
      runtime: { ...GIVEN.runtime, clientAddress: "192.0.2.1" },
    }],
    ["a label", { carried: { label: { path: "/v1" } } }, [["host", "api.w.localhost:8080"]], LABELLED],
    ["a granted page", { asker: "granted" }, [...HOST, ["origin", "http://localhost:5173"]], {
      grant: "listed",
    }],
    ["the console", { asker: "console" }, SCRIPT],
    ["the console of another proxy", { asker: "page" }, SCRIPT, {}, undefined, "another"],
    ["a caller over https", { caller: { isSecure: true, origin: SECURE } }, HOST, {}, `${SECURE}/`],
    ["a caller behind a front proxy that is trusted", { caller: { address: "192.0.2.9", isSecure: true } }, [
      ...HOST,
      ["x-forwarded-proto", "https"],
      ["x-forwarded-for", "192.0.2.9"],
    ], configOf({ trustedProxies: "127.0.0.1" })],
  ]))(
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
