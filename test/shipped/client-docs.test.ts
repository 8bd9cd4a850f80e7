/**
 * The commands of docs/client.md, run as they stand, and the size that it tells. Its script runs in `test/browser`.
 * @module
 */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { decodeHead } from "../../src/core/address/sealed-head.ts";
import { reply } from "../support/answers.ts";
import { type Proxy, startProxy } from "../support/proxy.ts";
import { listen, type Upstream } from "../support/upstream.ts";

const TEXT = readFileSync("docs/client.md", "utf8");

let proxy: Proxy;
let target: Upstream;
beforeAll(async () => {
  [proxy, target] = await Promise.all([startProxy("node", { LOG: "off" }), listen()]);
  target.answer = reply(404, [["Set-Cookie", "a=1"], ["Set-Cookie", "b=2"]], "none");
});
afterAll(() => Promise.all([proxy.stop(), target.close()]));

it("docs/client.md shows both fields with curl", async () => {
  const [, script = ""] = /^```sh\n(.*?)^```/ms.exec(TEXT) ?? [];
  const local = script.replaceAll("http://localhost:8080", proxy.origin).replaceAll(
    "https://shop.example",
    target.origin,
  );
  const { stdout } = await promisify(execFile)("sh", ["-ec", local]);
  expect(stdout).toMatch(/^HTTP\/1\.1 200 /);
  const [, sealed = ""] = /^x-fetchvia-head: (\S+)/im.exec(stdout) ?? [];
  expect(decodeHead(sealed)).toMatchObject({
    status: 404,
    headers: expect.arrayContaining([["set-cookie", "a=1"], ["set-cookie", "b=2"]]),
  });
  expect([target.request.header("cookie"), target.request.header("user-agent")]).toEqual(["a=1", undefined]);
});

it("docs/client.md tells the size of the client", async () => {
  const { outputFiles: [client] } = await build({
    entryPoints: ["src/client/client.ts"],
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
  });
  const [, kilobytes] = /dependencies: (\d+) KB/.exec(TEXT) ?? [];
  expect(Math.round((client?.contents.length ?? 0) / 1000)).toBe(Number(kilobytes));
});
