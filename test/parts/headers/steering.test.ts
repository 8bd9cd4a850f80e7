/** What a caller asks of the proxy in `proxy_headers` and `proxy_seal`, and whose page may. @module */
import { describe, expect, it } from "vitest";
import { readWishes } from "../../../src/parts/headers/steering.ts";
import { exchangeOf, type Request } from "../../support/parts-exchange.ts";

const SITE = { origin: "https://app.test", "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" };

/** Reads the wishes of a request with these fields. */
function read(steering: Record<string, string>, request: Request = {}) {
  return readWishes(Object.entries(steering), exchangeOf(request));
}

describe("readWishes", () => {
  it.each(["proxy_headers", "proxy-headers"])("reads %s", (name) => {
    expect(read({ [name]: btoa('{"a":"1"}') }))
      .toEqual({ isSealed: false, overrides: new Map([["a", { value: "1", written: "a" }]]) });
  });

  it.each(["proxy_seal", "proxy-seal"])("reads %s", (name) => {
    expect(read({ [name]: "1" })).toEqual({ isSealed: true, overrides: undefined });
  });

  it.each(["0", "true", "", "1, 1"])("seals by no %s", (value) => {
    expect(() => read({ proxy_seal: value })).toThrow(/proxy_seal: it has another value, expected 1/);
  });

  it("seals no WebSocket", () =>
    expect(() => read({ proxy_seal: "1" }, { fields: { upgrade: "websocket" } }))
      .toThrow(/Cannot seal a WebSocket/));

  it.each(
    [
      { asker: "program", fields: {}, passes: true },
      { asker: "page", fields: { "sec-fetch-site": "same-origin" }, passes: true },
      { asker: "granted", fields: SITE, passes: true },
      { asker: "stranger", fields: SITE, passes: true },
      { asker: "page", fields: SITE, passes: false },
      { asker: "user", fields: { origin: "https://app.test" }, passes: false },
      { asker: "page", fields: { ...SITE, "sec-fetch-site": "same-site" }, passes: false },
    ] as const,
  )("of a $asker with $fields passes: $passes", ({ asker, fields, passes }) => {
    const steerings: Record<string, string>[] = [{ proxy_seal: "1" }, { proxy_headers: "e30" }];
    const refused = steerings.map((steering) => {
      try {
        return read(steering, { asker, fields }) && undefined;
      } catch (error) {
        return (error as { code: string }).code;
      }
    });
    expect(refused).toEqual(passes ? [undefined, undefined] : ["forbidden", "forbidden"]);
  });
});
