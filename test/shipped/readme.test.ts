/**
 * Runs what the README shows.
 * @module
 */
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { decodeArg } from "../../src/core/address/arg.ts";
import { decodeLabel } from "../../src/core/address/label.ts";
import { parseArgument } from "../../src/core/pages/argument/argument.ts";
import { judgeName } from "../../src/core/address/target-lists.ts";
import { type Config, readConfig } from "../../src/core/settings/config.ts";
import { VERSION } from "../../src/core/settings/version.ts";
import { reply } from "../support/answers.ts";
import { CERT_FILE, LEAF, LEAF_KEY } from "../support/certificate.ts";
import { type ProgramRuntime, RUN } from "../support/package.ts";
import { ROOT, startProxy } from "../support/proxy.ts";
import { listen } from "../support/upstream.ts";

const README = readFileSync(`${ROOT}/README.md`, "utf8");
const SELECTORS = readFileSync(`${ROOT}/docs/recipes/selectors.md`, "utf8");
const run = promisify(execFile);

/** The first block of a language. */
function blockOf(text: string, language: string): string {
  return new RegExp("```" + language + "\\n(.*?)```", "s").exec(text)?.[1] ?? "";
}

/** The cells of the table that begins with these titles. */
function rowsOf(text: string, ...titles: string[]): string[][] {
  const cells = (line: string) => line.split("|").slice(1, -1).map((cell) => cell.trim());
  const tables = text.split("\n\n").filter((part) => part.startsWith("|")).map((part) =>
    part.split("\n").map(cells)
  );
  return tables.find(([head]) => head?.join() === titles.join())?.slice(2) ?? [];
}

const judge = ({ allowTargets, denyTargets }: Config, host: string) =>
  judgeName({ allow: allowTargets, deny: denyTargets }, host, 443);

/** What the rows of the settings promise, in their order. */
const PROMISES: [about: string, isKept: (config: Config) => boolean][] = [
  ["another port", ({ port }) => port === 9000],
  ["one target for all requests", ({ target }) => target?.origin.href === "https://api.example.com/"],
  [
    "a short label: `api.w.localhost:8080`",
    ({ proxyLabels }) => proxyLabels.get("api")?.origin.href === "https://api.example.com/",
  ],
  ["callers on other machines", ({ host, proxyToken }) => host === "0.0.0.0" && proxyToken !== ""],
  [
    "these targets and no others",
    (config) =>
      ["api.example.com", "a.example.org"].every((host) => judge(config, host) !== "refused") &&
      judge(config, "b.example.com") === "refused",
  ],
  ["behind another proxy: no private targets", ({ privateTargets }) => privateTargets === false],
  [
    "pages of other sites, by origin",
    ({ corsOrigins }) => corsOrigins?.any === false && corsOrigins.listed.has("https://app.example.com"),
  ],
  ["keys, fields and limits for each target", ({ targets }) => targets === "targets.json"],
  ["a limit for each caller", ({ rateLimit }) => rateLimit?.requests === 100 && rateLimit.seconds === 60],
  ["64 KiB of each body in the console", ({ capture }) => capture === 65_536],
];

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
    "forwards by its first example on $runtime, over https",
    { timeout: 60_000 },
    async ({ runtime }) => {
      const target = await listen({ tls: { cert: LEAF, key: LEAF_KEY } });
      target.answer = reply(201, {}, "hello");
      const origin = target.origin.replace("127.0.0.1", "localhost");
      const code = blockOf(README, "js").replaceAll("https://example.com", origin)
        // The target of the test is on loopback, which the proxy must be told.
        .replace("{ target:", `{ allowTargets: ["${new URL(origin).host}"], target:`)
        .replaceAll('fetchvia/node"', `fetchvia/${runtime}"`);
      const said = await runExample(runtime, code);
      await target.close();
      expect(said).toBe("201");
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

  it("makes the command work by npx where it is built", async () => {
    const { stdout } = await run("npx", ["--no-install", "fetchvia", "--version"], { cwd: ROOT });
    expect(stdout).toBe(`${VERSION}\n`);
  });

  it("has code and pictures that fit a page of 780 pixels, and links to what there is", () => {
    const blocks = [...README.matchAll(/```\w+\n(.*?)```/gs)].flatMap(([, code = ""]) => code.split("\n"));
    expect(blocks.filter((line) => line.length > 90)).toEqual([]);
    const widths = [...README.matchAll(/<img [^>]*width="(\d+)"/g)].map(([, width]) => Number(width));
    expect(widths).toHaveLength([...README.matchAll(/<img /g)].length);
    expect(widths.filter((width) => width > 780)).toEqual([]);
    const places = [...README.matchAll(/(?:\]\(|src(?:set)?=")(docs\/[^)"#]+)/g)].map(([, path = ""]) =>
      path
    );
    expect(places.length).toBeGreaterThan(10);
    expect(places.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it("says of each setting what it does", () => {
    const promised = new Map(PROMISES);
    const kept = rowsOf(README, "for", "set").map(([about = "", set = ""]) => {
      const settings = set.match(/[A-Z_]+=[^`]+/g)?.map((text) => text.split(/=(.*)/, 2)) ?? [];
      return [about, promised.get(about)?.(readConfig(Object.fromEntries(settings)))];
    });
    expect(kept).toEqual(PROMISES.map(([about]) => [about, true]));
  });
});

it("docs/recipes/selectors.md shows labels that are read so", () => {
  const shown = rowsOf(SELECTORS, "label", "target").map(([label = "", target = ""]) => [
    decodeLabel(label.replaceAll("`", "")),
    target.replaceAll("`", ""),
  ]);
  expect(shown).toHaveLength(3);
  expect(shown.map(([read]) => read)).toEqual(shown.map(([, target]) => target));
});

it("docs/recipes/selectors.md shows an arg that is one", async () => {
  const [, arg = ""] = /fetch\?arg=([\w-]+)/.exec(SELECTORS) ?? [];
  expect(decodeArg(arg)).toEqual({ url: "https://api.test/" });
  const text = blockOf(SELECTORS, "json");
  expect(await parseArgument(new TextEncoder().encode(text))).toMatchObject({ method: "POST" });
});
