/** `x-request-id`: in answers of the proxy's own where there is a log, and never in a target's. @module */
import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/core/settings/config.ts";
import { createConfiguredProxy } from "../../../src/index.ts";
import { incoming, target } from "../../support/handle.ts";

async function idOf(path: string, fields: Record<string, string>, log?: () => void): Promise<string | null> {
  const { runtime } = target({ headers: new Headers({ "x-request-id": "the target's" }) });
  const proxy = createConfiguredProxy(readConfig({}), { log });
  return (await proxy.handle(incoming(path, fields), runtime)).headers.get("x-request-id");
}

describe("x-request-id", () => {
  const hasLog = () => {};
  it.each<{ about: string; path: string; fields: Record<string, string>; log?: () => void; id: RegExp }>([
    { about: "an answer of the proxy", path: "/", fields: {}, log: hasLog, id: /^[\w-]{8,}$/ },
    { about: "a refusal", path: "/__proxy__/nothing", fields: {}, log: hasLog, id: /^[\w-]{8,}$/ },
    {
      about: "a target's",
      path: "/",
      fields: { proxy_host: "https://a.test" },
      log: hasLog,
      id: /^the target's$/,
    },
    { about: "an answer where nothing is logged", path: "/", fields: {}, id: /^none$/ },
  ])("of $about", async ({ path, fields, log, id }) => {
    expect(await idOf(path, fields, log) ?? "none").toMatch(id);
  });
});
