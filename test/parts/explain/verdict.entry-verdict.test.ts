/** What is told of an entry of the table. @module */
import { describe, expect, it } from "vitest";
import { tellEntry } from "../../../src/parts/explain/verdict.ts";
import { hooksFor } from "../../support/table.ts";
import { readTable } from "../../../src/parts/gate/targets/table.ts";
import type { Asker } from "../../../src/core/who/asker.ts";
import { exchangeOf } from "../../support/exchange.ts";

const AWS = { region: "eu-central-1", service: "s3" };
const table = readTable({
  "*.a.test": { set: { "x-a": "1", "?k": "2" }, remove: ["x-b"] },
  "s3.test": { sign: { aws: { ...AWS, key: "AKID", secret: "s3cret" } } },
}, { variable: () => undefined });
const tell = (asker: Asker, address: string) =>
  tellEntry({ ...exchangeOf({ asker }), parts: hooksFor(table) }, {
    selector: "url",
    origin: new URL(address),
    path: "/",
    basePath: "",
  });

describe("tellEntry", () => {
  it.each<{ asker: Asker }>([{ asker: "program" }, { asker: "user" }, { asker: "console" }, {
    asker: "granted",
  }])("tells a $asker names only", ({ asker }) =>
    expect(tell(asker, "https://x.a.test"))
      .toEqual({ name: "*.a.test", set: ["x-a", "?k"], remove: ["x-b"], keys: [] }));

  it.each<{ asker: Asker }>([{ asker: "page" }, { asker: "stranger" }])(
    "tells a $asker nothing",
    ({ asker }) => expect(tell(asker, "https://x.a.test")).toBeNull(),
  );

  it("tells for whom it signs, and nothing of the keys", () => {
    const told = { name: "s3.test", set: [], remove: [], keys: [], sign: { aws: AWS } };
    expect(tell("program", "https://s3.test")).toEqual(told);
  });

  it("tells nothing of other targets", () => expect(tell("program", "https://a.test")).toBeNull());
});
