/** The console as a part: live traffic of each request, and paths of its own. */
import { expect, it } from "vitest";
import { RequestRecord } from "../../../src/core/exchange/record.ts";
import { readOptions } from "../../../src/core/settings/config.ts";
import { makeCapture } from "../../../src/parts/capture/part.ts";
import { makeConsole } from "../../../src/parts/console/part.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { hostOf, openOf } from "../../support/part.ts";

const config = readOptions({});
const make = () => {
  const host = hostOf(config);
  return makeConsole(host, makeCapture(config, host));
};

/** What a watcher is told of at once. */
async function watch(part: ReturnType<typeof make>): Promise<string> {
  const answer = await openOf(part, "/traffic", exchangeOf({ path: "/__proxy__/traffic" }));
  const reader = answer!.body!.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new TextDecoder().decode(value);
}

it("tells who watches of a request that runs, and of one that is over", async () => {
  const part = make();
  const target = { selector: "header", origin: new URL("http://a.test"), basePath: "", path: "/p" } as const;
  const record = new RequestRecord("GET", [(over) => part.end?.(over)]);
  part.begin?.(record);
  part.aim?.(record, "PUT", target);
  record.target = "a.test";
  record.answered(200, 0);
  expect(await watch(part)).toContain('"http://a.test/p"');
});

it.each([
  { path: "/console.js", status: 200 },
  { path: "/nothing.js", status: undefined },
  { path: "/", status: undefined },
])("answers $path with $status", async ({ path, status }) => {
  expect((await openOf(make(), path, exchangeOf()))?.status).toBe(status);
});
