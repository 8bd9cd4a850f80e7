/** `x-request-id`: in answers of the proxy's own where there is a log, and never in a target's. @module */
import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/core/settings/config.ts";
import { createConfiguredProxy } from "../../../src/index.ts";
import { incoming, target } from "../../support/handle.ts";
import { typedRows } from "../../support/rows.ts";

async function idOf(path: string, fields: Record<string, string>, log?: () => void): Promise<string | null> {
  const { runtime } = target({ headers: new Headers({ "x-request-id": "the target's" }) });
  const proxy = createConfiguredProxy(readConfig({}), { log });
  return (await proxy.handle(incoming(path, fields), runtime)).headers.get("x-request-id");
}

describe("x-request-id", () => {
  const hasLog = () => {};
  it.each<{ about: string; path: string; fields: Record<string, string>; log?: () => void; id: RegExp }>(
    typedRows(["about", "path", "fields", "id", "log"], [
      ["an answer of the proxy", "/", {}, /^[\w-]{8,}$/, hasLog],
      ["a refusal", "/__proxy__/nothing", {}, /^[\w-]{8,}$/, hasLog],
      ["a target's", "/", { proxy_host: "https://a.test" }, /^the target's$/, hasLog],
      ["an answer where nothing is logged", "/", {}, /^none$/],
    ]),
  )("of $about", async ({ path, fields, log, id }) => {
    expect(await idOf(path, fields, log) ?? "none").toMatch(id);
  });
});
