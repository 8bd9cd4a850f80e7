/**
 * Overrides: how they are read, what is refused, and what they do to the fields of a request.
 * @module
 */
import { describe, expect, it } from "vitest";
import { encodeBase64url } from "../../src/address/base64url.ts";
import {
  applyOverrides,
  type Overrides,
  parseOverrides,
  readJsonOverrides,
  readOverrides,
} from "../../src/exchange/overrides.ts";
import { Fields, linesOf } from "../../src/http/fields.ts";
import { MESSAGE } from "../support/message.ts";

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

  it.each([
    { about: "nothing", values: [""], state: /not a JSON object/ },
    { about: "no Base64", values: ["{}"], state: /not Base64/ },
    { about: "percent-encoding", values: ["e30%3D"], state: /not Base64/ },
    { about: "no UTF-8", values: ["_w"], state: /not UTF-8/ },
    { about: "no JSON", values: [encode("{")], state: /not a JSON object/ },
    { about: "an array", values: [encode('[["a","b"]]')], state: /not a JSON object/ },
    { about: "null", values: [encode("null")], state: /not a JSON object/ },
    { about: "two lines", values: ["e30", "e30"], state: /more than one value/ },
    { about: "two lines that were joined", values: ["e30, e30"], state: /more than one value/ },
    { about: "a name twice", values: [encode('{"a":"1","a":"2"}')], state: /twice/ },
    {
      about: "a name twice in another case",
      values: [encode('{"a":"1","A":"2"}')],
      state: /"A" is named twice/,
    },
    { about: "a number", values: [encode('{"a":1}')], state: /"a" is neither a string nor null/ },
    { about: "an object", values: [encode('{"a":{"b":"c"}}')], state: /contains objects/ },
    {
      about: "a name that is no token",
      values: [encode('{"a b":"1"}')],
      state: /"a b" is no HTTP field name/,
    },
    { about: "an empty name", values: [encode('{"":"1"}')], state: /"" is no HTTP field name/ },
    { about: "a line break", values: [encode(String.raw`{"a":"1\r\nb: 2"}`)], state: /"a" has a value/ },
    { about: "a letter beyond Latin-1", values: [encode('{"a":"\u20ac"}')], state: /"a" has a value/ },
    { about: "a value for several", values: [encode('{"sec-*":"1"}')], state: /"sec-\*" names several/ },
    { about: "Host", values: [encode('{"Host":"a.test"}')], state: /"Host" belongs to the proxy/ },
    { about: "no Host", values: [encode('{"host":null}')], state: /"host" belongs to the proxy/ },
    { about: "framing", values: [encode('{"Transfer-Encoding":"chunked"}')], state: /belongs to the proxy/ },
    { about: "a hop-by-hop field", values: [encode('{"connection":"x"}')], state: /belongs to the proxy/ },
    { about: "Proxy-*", values: [encode('{"proxy-authorization":"x"}')], state: /belongs to the proxy/ },
    { about: "itself", values: [encode('{"proxy_headers":"x"}')], state: /belongs to the proxy/ },
  ])("refuses $about", ({ values, state }) => {
    const message = messageOf(() => read(...values));
    expect(message).toMatch(state);
    expect(message).toMatch(MESSAGE);
    expect(message).toContain("header proxy_headers");
  });

  it("names a long field by its beginning", () => {
    expect(messageOf(() => read(encode(`{"${"a ".repeat(5_000)}":"1"}`))).length).toBeLessThan(300);
  });
});

describe("parseOverrides", () => {
  it("takes what another form of request has parsed", () => {
    expect(valuesOf(parseOverrides({ Cookie: "a=1" }, "header x-cors-headers", CONFIG))).toEqual([[
      "cookie",
      "a=1",
    ]]);
  });

  it.each([{ name: "Forwarded" }, { name: "X-Forwarded-For" }, { name: "x_real_ip" }])(
    "leaves $name to FORWARD_CLIENT",
    ({ name }) => {
      expect(valuesOf(parseOverrides({ [name]: "1.2.3.4" }, "x", CONFIG))).toEqual([[
        name.toLowerCase(),
        "1.2.3.4",
      ]]);
      expect(messageOf(() => parseOverrides({ [name]: "1.2.3.4" }, "x", { forwardClient: true }))).toMatch(
        /names the caller, which FORWARD_CLIENT/,
      );
    },
  );
});

describe("readJsonOverrides", () => {
  it("reads JSON text", () => {
    expect(valuesOf(readJsonOverrides('{"Cookie":"a=1","origin":null}', "x", CONFIG)))
      .toEqual([["cookie", "a=1"], ["origin", null]]);
  });

  it.each([{ json: "" }, { json: "1" }, { json: "[]" }, { json: "null" }, { json: '{"a":"1","a":"2"}' }])(
    "refuses $json by the name of its field",
    ({ json }) => {
      expect(messageOf(() => readJsonOverrides(json, "header x-cors-headers", CONFIG)))
        .toMatch(/^Cannot use header x-cors-headers: .+, expected /);
    },
  );
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

  it("replaces all lines of a field", () => {
    expect(apply({ "x-a": "3" }).filter(([name]) => name === "x-a")).toEqual([["x-a", "3"]]);
  });

  it("removes a field", () => expect(apply({ "x-a": null }).map(([name]) => name)).not.toContain("x-a"));

  it("removes all fields that begin so, save the proxy's own and those that are set", () => {
    expect(apply({ "sec-fetch-mode": "navigate", "sec-*": null, "c*": null })).toEqual([
      ...FIELDS.filter(([name]) => !name.startsWith("sec-fetch")),
      ["sec-fetch-mode", "navigate"],
    ]);
  });
});
