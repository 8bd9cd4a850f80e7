/**
 * The files that a plain request passes, as CONTRIBUTING.md lists them: those whose code runs for it, as V8 counts.
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, get } from "node:http";
import { Session } from "node:inspector/promises";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, expect, it } from "vitest";
import { readConfig } from "../src/core/settings/config.ts";
import { listen } from "../src/runtimes/node/serve.ts";

const session = new Session();
/** It ends its connections, so that each request dials anew, however slow the machine is. */
const target = createServer((_, response) => response.setHeader("connection", "close").end("ok"));
afterAll(() => {
  session.disconnect();
  target.close();
});

const [, LIST = ""] = readFileSync(new URL("../CONTRIBUTING.md", import.meta.url), "utf8")
  .split("## The files that a plain request passes\n");

/** The rows of the list: `core/http/` and its files. */
function readList(): string[] {
  return [...LIST.matchAll(/^\| `(.+\/)` \| (.+) \|$/gm)].flatMap(([, room = "", names = ""]) =>
    names.trim().split(/,? /).map((name) => `${room}${name}.ts`)
  );
}

it("are those of the list", async () => {
  session.connect();
  await session.post("Profiler.enable");
  await once(target.listen(0, "127.0.0.1"), "listening");
  const { port, drain } = await listen(readConfig({ PORT: "0", LOG: "off" }));
  const ask = async () => {
    const headers = { proxy_host: `http://127.0.0.1:${(target.address() as AddressInfo).port}` };
    const [response] = await once(get({ port, agent: false, headers }), "response");
    expect(await text(response)).toBe("ok");
  };
  // Loads what is loaded with the first request.
  await ask();
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  // The end of the first falls into the time of the second.
  await ask();
  await ask();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const passed = result.filter(({ url, functions }) =>
    url.includes("/src/") &&
    // Functions without a name are also what vitest adds to read an import.
    functions.some(({ functionName, ranges }) => functionName && ranges.some(({ count }) => count > 0))
  ).map(({ url }) => url.replace(/^.*\/src\//, ""));
  await drain();
  expect(passed.toSorted()).toEqual(readList().toSorted());
  expect(LIST).toContain(` passes ${passed.length} files `);
});
