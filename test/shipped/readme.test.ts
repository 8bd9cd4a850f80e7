/**
 * Runs what the README shows.
 * @module
 */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { decodeArg } from "../../src/address/arg.ts";
import { parseArgument } from "../../src/pages/argument/argument.ts";
import { reply } from "../support/answers.ts";
import { ROOT, startProxy } from "../support/proxy.ts";
import { listen } from "../support/upstream.ts";

const README = readFileSync(`${ROOT}/README.md`, "utf8");
const run = promisify(execFile);

/** The blocks of a language, in their order. */
function blocks(language: string): string[] {
  return [...README.matchAll(new RegExp("```" + language + "\\n(.*?)```", "gs"))].map(([, code = ""]) =>
    code
  );
}

describe("the README", () => {
  it("embeds the proxy as it says", async () => {
    const code = `${blocks("ts")[0]}\nconsole.log(response.status, await response.text());`;
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", code], { cwd: ROOT });
    expect(stdout.trim()).toBe('200 {"status":"ok"}');
  });

  it("asks the proxy as it says", async () => {
    const [, name = "", , path = ""] =
      /curl -H '(\S+): (\S+)' http:\/\/127\.0\.0\.1:8080(\S*)/.exec(README) ?? [];
    const [proxy, upstream] = await Promise.all([startProxy("node", {}), listen()]);
    upstream.answer = reply(200, {}, "hello");
    const answer = await proxy.call(`GET ${path}`, { fields: { [name]: upstream.origin } });
    await Promise.all([proxy.stop(), upstream.close()]);
    expect([answer.text, upstream.requests[0]?.target]).toEqual(["hello", "/"]);
  });

  it("shows an arg that is one", async () => {
    const [, arg = ""] = /fetch\?arg=([\w-]+)/.exec(README) ?? [];
    expect(decodeArg(arg)).toEqual({ url: "https://api.test/" });
    const text = blocks("json")[0] ?? "";
    expect(await parseArgument(new TextEncoder().encode(text))).toMatchObject({ method: "POST" });
  });
});
