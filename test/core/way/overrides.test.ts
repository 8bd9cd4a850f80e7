/** Overrides: how they are read, what is refused, and what they do to the fields of a request. @module */
import { describe, expect, it } from "vitest";
import { encodeBase64url } from "../../../src/core/address/base64url.ts";
import { applyOverrides, type Overrides, parseOverrides } from "../../../src/core/way/overrides.ts";
import { readJsonOverrides, readOverrides } from "../../../src/core/way/overrides.ts";
import { Fields, linesOf } from "../../../src/core/http/fields.ts";
import { MESSAGE } from "../../support/message.ts";
import { rowsOf, words } from "../../support/rows.ts";

const CONFIG = { forwardClient: false };
const encode = (text: string) => encodeBase64url(new TextEncoder().encode(text));
const read = (...values: string[]) => readOverrides(values, "header proxy_headers", CONFIG);
const valuesOf = (overrides: Overrides) => [...overrides].map(([name, { value }]) => [name, value]);
const messageOf = (act: () => unknown): string => {
  try {
    return JSON.stringify(act());
  } catch (error) {
    return (error as Error).message;
  }
};

describe("readOverrides", () => {
  it.each([
    { text: encode('{"Cookie":"a=1","ORIGIN":null}'), is: [["cookie", "a=1"], ["origin", null]] },
    { text: `${encode('{"a":"1"}')}`, is: [["a", "1"]] },
    { text: btoa('{"a":"caf\u00c3\u00a9 "}'), is: [["a", "caf\u00e9"]] },
    { text: encode('{"sec-*":null}'), is: [["sec-*", null]] },
    { text: encode("{}"), is: [] },
  ])("reads $is", ({ text, is }) => expect(valuesOf(read(text))).toEqual(is));

  it.each(rowsOf(["about", "values", "state"], [
    ["nothing", [""], /not a JSON object/],
    ["percent-encoding", ["e30%3D"], /not Base64/],
    ["no UTF-8", ["_w"], /not UTF-8/],
    ["null", [encode("null")], /not a JSON object/],
    ["two lines that were joined", ["e30, e30"], /more than one value/],
    ["a name twice in another case", [encode('{"a":"1","A":"2"}')], /"A" is named twice/],
    ["an object", [encode('{"a":{"b":"c"}}')], /contains objects/],
    ["a name that is no token", [encode('{"a b":"1"}')], /"a b" is no HTTP field name/],
    ["an empty name", [encode('{"":"1"}')], /"" is no HTTP field name/],
    ["a letter beyond Latin-1", [encode('{"a":"\u20ac"}')], /"a" has a value/],
    ["a value for several", [encode('{"sec-*":"1"}')], /"sec-\*" names several/],
    ["no Host", [encode('{"host":null}')], /"host" belongs to the proxy/],
    ["itself", [encode('{"proxy_headers":"x"}')], /belongs to the proxy/],
  ]))("refuses $about", ({ values, state }) => {
    const message = messageOf(() => read(...values));
    expect(message).toMatch(state);
    expect(message).toMatch(MESSAGE);
    expect(message).toContain("header proxy_headers");
  });

  it("names a long field by its beginning", () =>
    expect(messageOf(() => read(encode(`{"${"a ".repeat(5_000)}":"1"}`))).length).toBeLessThan(300));
});

describe("parseOverrides", () => {
  it("takes what another form of request has parsed", () =>
    expect(valuesOf(parseOverrides({ Cookie: "a=1" }, "header x-cors-headers", CONFIG)))
      .toEqual([["cookie", "a=1"]]));

  it.each(words`Forwarded X-Forwarded-For x_real_ip`)("leaves %s to FORWARD_CLIENT", (name) => {
    expect(valuesOf(parseOverrides({ [name]: "1.2.3.4" }, "x", CONFIG)))
      .toEqual([[name.toLowerCase(), "1.2.3.4"]]);
    expect(messageOf(() => parseOverrides({ [name]: "1.2.3.4" }, "x", { forwardClient: true })))
      .toMatch(/names the caller, which FORWARD_CLIENT/);
  });
});

describe("readJsonOverrides", () => {
  it("reads JSON text", () =>
    expect(valuesOf(readJsonOverrides('{"Cookie":"a=1","origin":null}', "x", CONFIG)))
      .toEqual([["cookie", "a=1"], ["origin", null]]));

  it.each(["", ...words`1 [] null {"a":"1","a":"2"}`])("refuses %s by the name of its field", (json) => {
    expect(messageOf(() => readJsonOverrides(json, "header x-cors-headers", CONFIG)))
      .toMatch(/^Cannot use header x-cors-headers: .+, expected /);
  });
});

describe("applyOverrides", () => {
  const FIELDS: [string, string][] = [
    ["accept", "*/*"],
    ["x-a", "1"],
    ["x-a", "2"],
    ["sec-fetch-site", "none"],
    ["sec-fetch-mode", "cors"],
    ["content-length", "3"],
    ["sec-websocket-protocol", "chat"],
  ];
  const apply = (overrides: Record<string, string | null>) => {
    const headers = new Fields(FIELDS);
    applyOverrides(headers, parseOverrides(overrides, "x", CONFIG));
    return [...headers];
  };

  it("sets fields in the letters in which they are named", () => {
    const headers = new Fields([["x-a", "1"]]);
    applyOverrides(headers, parseOverrides({ "X-A": "2", "SOAPAction": "x" }, "x", CONFIG));
    expect(linesOf(headers)).toEqual([["X-A", "2"], ["SOAPAction", "x"]]);
  });

  it("sets what was not there", () =>
    expect(apply({ cookie: "a=1" })).toEqual([...FIELDS, ["cookie", "a=1"]]));

  it("replaces all lines of a field", () =>
    expect(apply({ "x-a": "3" }).filter(([name]) => name === "x-a")).toEqual([["x-a", "3"]]));

  it("removes a field", () => expect(apply({ "x-a": null }).map(([name]) => name)).not.toContain("x-a"));

  it("removes all fields that begin so, save the proxy's own and those that are set", () =>
    expect(apply({ "sec-fetch-mode": "navigate", "sec-*": null, "c*": null })).toEqual([
      ...FIELDS.filter(([name]) => !name.startsWith("sec-fetch")),
      ["sec-fetch-mode", "navigate"],
    ]));
});
