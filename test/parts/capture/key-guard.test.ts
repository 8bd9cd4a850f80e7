/** Keys of the table: in no head and no body, not even where they were cut. @module */
import { describe, expect, it } from "vitest";
import { cleanRequest, cleanResponse, guardSecrets } from "../../../src/parts/capture/key-guard.ts";
import { hooksFor, KEYS, tableOf } from "../../support/table.ts";

const KEY = KEYS["KEY"] ?? "";
const table = tableOf({ "api.test": { set: { "x-key": "{{KEY}}" } } });
const { secrets } = hooksFor(table);
const guard = guardSecrets(secrets)!;

describe("a guard", () => {
  it("is made once for a table, and for none without keys", () => {
    expect(guardSecrets(secrets)).toBe(guard);
    expect([guardSecrets([]), guardSecrets(hooksFor(tableOf({ "a.test": {} })).secrets)])
      .toEqual([undefined, undefined]);
  });

  it("cleans heads", () => {
    const headers: [string, string][] = [["x-key", `Key ${KEY}`], ["y", encodeURIComponent(KEY)]];
    const request = cleanRequest({
      method: "GET",
      url: `https://a.test/?k=${encodeURIComponent(KEY)}`,
      headers,
    }, guard);
    expect(request).toEqual({
      method: "GET",
      url: "https://a.test/?k={{KEY}}",
      headers: [["x-key", "Key {{KEY}}"], ["y", "{{KEY}}"]],
    });
    expect(cleanResponse({ status: 200, statusText: KEY, headers }, guard).statusText).toBe("{{KEY}}");
  });

  it.each([KEY, btoa(`abc${KEY}`), encodeURIComponent(KEY)])("cleans bodies of %j", (text) => {
    expect(guard.cleanBody(`x ${text} y`, false)).toContain("{{KEY}}");
  });

  it.each(Array.from({ length: KEY.length - 4 }, (_, index) => ({ length: index + 4 })))(
    "cleans the first $length characters at the end of a body that was cut",
    ({ length }) => {
      const part = KEY.slice(0, length);
      expect(guard.cleanBody(`x ${part}`, true)).toBe("x {{KEY}}");
      expect(guard.cleanBody(`x ${part} y`, true)).toBe(`x ${part} y`);
      expect(guard.cleanBody(`x ${part}`, false)).toBe(`x ${part}`);
    },
  );
});
