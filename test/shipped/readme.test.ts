/**
 * Runs what the README shows.
 * @module
 */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { decodeArg } from "../../src/core/address/arg.ts";
import { parseArgument } from "../../src/core/pages/argument/argument.ts";
import { reply } from "../support/answers.ts";
import { CERT_FILE, LEAF, LEAF_KEY } from "../support/certificate.ts";
import { type ProgramRuntime, RUN } from "../support/package.ts";
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

/** Runs code in a file of the project, which finds the package by its own name; gives what it wrote. */
async function runExample(runtime: ProgramRuntime, code: string): Promise<string> {
  const folder = await mkdtemp(join(ROOT, ".examples-"));
  const [program, ...args] = RUN[runtime];
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: CERT_FILE, DENO_CERT: CERT_FILE, NO_COLOR: "1" };
  try {
    const file = join(folder, "example.mjs");
    await writeFile(file, `${code}\nprocess.exit();`);
    const { stdout } = await run(program, [...args, file], { cwd: ROOT, env });
    return stdout.trim();
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe("the README", () => {
  it.each([{ runtime: "node" }, { runtime: "bun" }, { runtime: "deno" }] as const)(
    "forwards by its first example on $runtime, over https too",
    { timeout: 60_000 },
    async ({ runtime }) => {
      const targets = await Promise.all([
        listen(),
        listen({ tls: { cert: LEAF, key: LEAF_KEY } }),
      ]);
      const said = await Promise.all(targets.map(async (target) => {
        target.answer = reply(200, {}, "hello");
        const origin = target.origin.replace("127.0.0.1", "localhost");
        const code = blocks("ts")[0]!.replaceAll("https://example.com", origin)
          .replaceAll('"example.com"', `"${new URL(origin).host}"`)
          .replaceAll('fetchvia/node"', `fetchvia/${runtime}"`);
        return await runExample(runtime, `${code}\nconsole.log(response.status, await response.text());`);
      }));
      await Promise.all(targets.map((target) => target.close()));
      expect(said).toEqual(["200 hello", "200 hello"]);
    },
  );

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
