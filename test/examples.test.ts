/** The examples in the docs of what is exported: each one compiles as it stands. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import manifest from "../deno.json" with { type: "json" };
import { rowsOf } from "./support/rows.ts";
import { ROOT } from "./support/proxy.ts";

const CLIENT = `import { createFetch, fetchUrl, labelFor, proxyUrl, readHead } from "fetchvia/client";\n`;
const INDEX =
  `import { ConfigError, createConfiguredProxy, createProxy, decodeArg, decodeLabel, encodeArg, encodeLabel,
  type Options, ProxyError, type RateStore, readConfig, type Runtime, type Send } from "fetchvia";
`;
const BUN = `${INDEX}import { runtime } from "fetchvia/bun";\n`;

/** Files with examples, and what is in reach there. */
const PLACES = rowsOf(["file", "head"], [
  ["src/index.ts", BUN],
  ["src/client/client.ts", CLIENT],
  ["src/client/proxy-link.ts", CLIENT],
  ["src/client/unseal.ts", CLIENT],
  [
    "src/parts/tokens/mint.ts",
    `import { mintToken } from "fetchvia";\ndeclare const signingKey: string;\n`,
  ],
  ["src/core/settings/config.ts", INDEX],
  ["src/core/settings/options.ts", INDEX],
  ["src/core/runtime.ts", BUN],
  ["src/core/http/error.ts", INDEX],
  ["src/core/address/arg.ts", INDEX],
  ["src/core/address/label.ts", INDEX],
  ["src/runtimes/bun/runtime.ts", BUN],
  ["src/runtimes/deno/runtime.ts", `${INDEX}import { runtime } from "fetchvia/deno";\n`],
  [
    "src/runtimes/node.ts",
    `${INDEX}import { createHandler, runtime } from "fetchvia/node";\nimport { createServer } from "node:http";\n`,
  ],
  ["src/runtimes/node/runtime.ts", `${INDEX}import { runtime } from "fetchvia/node";\n`],
  ["src/runtimes/node/serve.ts", `${INDEX}import { listen } from "fetchvia/node";\n`],
  [
    "src/runtimes/worker.ts",
    `${INDEX}import { createHandler, runtime, type WorkerCall, type WorkerContext } from "fetchvia/worker";\n`,
  ],
]);

/** What an example takes for granted. */
const GIVEN = `
declare const request: Request;
declare const key: string;
declare const proxy: ReturnType<typeof import("fetchvia").createProxy>;
declare const ctx: { waitUntil(work: Promise<unknown>): void };
declare const send: import("fetchvia").Send;
declare function add(caller: string, seconds: number): Promise<number>;
declare const Deno: {
  serve(answer: (request: Request, info: { remoteAddr: { hostname: string } }) => Promise<Response>): void;
};
`;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fetchvia-examples-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The examples of a file, without the imports that they show. */
function listExamples(text: string): string[] {
  const found = text.matchAll(/^ *\* (?:```ts\n([^]*?)^ *\* ```|@example (\S.*))$/gm);
  const blocks = [...found].map(([, lines, line = ""]) => lines ?? line);
  return blocks.map((lines) => lines.replace(/^ *\* ?/gm, "").replace(/^import .*\n/gm, ""));
}

/** The module of an example: what it declares hides what is given. */
function wrap(example: string, head: string): string {
  const code = example.replace("export default {", "const handler = {");
  return `${head}${GIVEN}export async function example() {\n${code}\n}\n`;
}

function compile(config: string): Promise<string> {
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  return new Promise((resolve) => {
    execFile(tsc, ["-p", config], { cwd: ROOT }, (_failure, output) => resolve(output));
  });
}

it("compile", { timeout: 60_000 }, async () => {
  const files = await Promise.all(PLACES.map(async ({ file, head }) => {
    const examples = listExamples(await readFile(join(ROOT, file), "utf8"));
    expect(examples, file).not.toEqual([]);
    return await Promise.all(examples.map(async (example, index) => {
      const path = join(folder, `${file.replaceAll("/", "-")}-${index}.ts`);
      await writeFile(path, wrap(example, head));
      return path;
    }));
  }));
  const exported = Object.entries(manifest.exports);
  const paths = Object.fromEntries(
    exported.map(([name, file]) => [name.replace(/^\./, "fetchvia"), [join(ROOT, file)]]),
  );
  const compilerOptions = { noUnusedLocals: false, typeRoots: [join(ROOT, "node_modules/@types")], paths };
  const config = join(folder, "tsconfig.json");
  const settings = {
    extends: join(ROOT, "tsconfig.json"),
    compilerOptions,
    include: [],
    files: files.flat(),
  };
  await writeFile(config, JSON.stringify(settings));
  expect(await compile(config)).toBe("");
});
