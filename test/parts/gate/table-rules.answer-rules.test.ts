import { describe, expect, it } from "vitest";
import { changeResponse } from "../../../src/parts/gate/table-rules.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import { tableOf } from "../../support/table.ts";
import { words } from "../../support/rows.ts";

const table = tableOf({ "a.test": { answerSet: { "x-a": "1" }, answerRemove: ["x-b"] } });

describe("fields of answers", () => {
  it.each([
    [undefined, "private"],
    ["public, max-age=60", "private, max-age=60"],
    ["max-age=60, s-maxage=5, public", "private, max-age=60"],
    ["no-store", "no-store"],
    ["max-age=1, private", "max-age=1, private"],
    ["no-cache", "private, no-cache"],
  ])("with a key turn Cache-Control %s into %s", (sent, kept) => {
    const fields = new Fields(sent === undefined ? [] : [["cache-control", sent]]);
    changeResponse(fields, table, { hadKey: true }, new URL("https://b.test"));
    expect(fields.get("cache-control")).toBe(kept);
  });

  it("with a key lose what shared caches obey in place of Cache-Control", () => {
    const names = words`cdn-cache-control x-cdn-cache-control surrogate-control edge-control
      x-accel-expires`;
    const fields = new Fields([...names, "etag"].map((name) => [name, "1"] as const));
    changeResponse(fields, table, { hadKey: true }, new URL("https://b.test"));
    expect([...fields].map(([name]) => name)).toEqual(["etag", "cache-control"]);
  });
});
