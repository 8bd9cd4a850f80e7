/**
 * The types of the package: what it exports compiles in a strict project without `skipLibCheck`, with the oldest TypeScript
 * that it promises and with today's.
 * @module
 */
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { APPS } from "../support/apps.ts";
import { readBlocks } from "../support/embedded.ts";
import { DENO, Project } from "../support/package.ts";
import { ROOT } from "../support/proxy.ts";

/** README and `docs/embedding.md` promise 5.4. */
const COMPILERS = [{ compiler: "typescript54" }, { compiler: "typescript" }];
const FOLDERS: Record<string, string> = {
  typescript54: join(APPS, "node_modules/typescript54"),
  typescript: join(ROOT, "node_modules/typescript"),
};
const MAJORS = [
  { vite: "vite", folder: join(ROOT, "node_modules/vite") },
  { vite: "vite7", folder: join(APPS, "node_modules/vite7") },
  { vite: "vite6", folder: join(APPS, "node_modules/vite6") },
];
const RESOLUTIONS = [{ resolution: "nodenext" }, { resolution: "bundler" }];
const ROWS = COMPILERS.flatMap((compiler) =>
  RESOLUTIONS.map((resolution) => ({ ...compiler, ...resolution }))
);
const BROWSER_LIB = ["es2022", "dom", "dom.iterable"];

const SPECIFIERS = Object.keys(manifest.exports).map((key) => key.replace(/^\./, manifest.name));

/** Everything that the package exports, by every way in. */
const EVERYTHING = [
  ...SPECIFIERS.map((specifier, index) => `import * as entry${index} from "${specifier}";`),
  `export const all: object[] = [${SPECIFIERS.map((_, index) => `entry${index}`).join(", ")}];`,
].join("\n");

const CONSUMER = `
import { createProxy, type Options, type Proxy, ProxyError, readConfig, type Runtime } from "fetchvia";
import { createFetch, fetchUrl } from "fetchvia/client";
import { runtime } from "fetchvia/bun";
import deno from "fetchvia/deno";

const options: Options = { mountPath: "/proxy", maxRedirects: 3 };
const proxy: Proxy = createProxy(options);
const absent = undefined;
const lent: Runtime = { ...runtime, clientAddress: absent, listensOnLoopback: absent, send: absent };
const port: number = readConfig({ PORT: "1" }).port;
createProxy({ maxRedirects: "3", timeoutMs: 1_000, metrics: true, console: "false", gate: "report", via: undefined });
// @ts-expect-error: another server listens
createProxy({ port: 8080 });
// @ts-expect-error: another server logs
createProxy({ log: "json" });
createProxy({ allowTargets: ["a.test"], denyTargets: "b.test", privateTargets: ["auto", "c.test"] });
createProxy({ proxyLabels: { api: "https://a.test" }, rateLimit: "100/60s", privateTargets: "auto,c.test" });
// @ts-expect-error: there is no such option
createProxy({ mountPaths: "/proxy" });
// @ts-expect-error: a flag is no list
createProxy({ metrics: ["x"] });
// @ts-expect-error: a flag is no text of another kind
createProxy({ metrics: "on" });
// @ts-expect-error: a number is no object
createProxy({ timeoutMs: {} });
// @ts-expect-error: text that is no number
createProxy({ timeoutMs: "http" });
// @ts-expect-error: one path, no list of them
createProxy({ mountPath: ["/proxy"] });
// @ts-expect-error: a limit is requests per time
createProxy({ rateLimit: 100 });
// @ts-expect-error: not one of the words
createProxy({ gate: "open" });
// @ts-expect-error: an array, no Set
createProxy({ allowTargets: new Set(["a.test"]) });
// @ts-expect-error: bases are text
createProxy({ proxyLabels: { api: new URL("https://a.test") } });
// @ts-expect-error: nothing is undefined, not null
createProxy({ target: null });
// @ts-expect-error: a key is text
createProxy({ signingKey: false });
// @ts-expect-error: a number is no text
const text: string = readConfig({}).port;
export const all = [
  proxy.handle(new Request("http://localhost/"), lent).then((response) => response.status),
  fetchUrl("http://localhost:8080", { url: "https://a.test/" }),
  createFetch("http://localhost:8080", { token: absent, expires: absent, seal: absent }),
  deno.fetch,
  ProxyError,
  port,
  text,
];
`;

const NODE_CONSUMER = `
import { createServer } from "node:http";
import { createProxy } from "fetchvia";
import { createHandler } from "fetchvia/node";

createServer(createHandler(createProxy()));
`;

let project: Project;

const EXAMPLES = readBlocks();
/** Packages that they import. */
const IMPORTED = [
  ...["@hono", "@rsbuild", "@types/express", "elysia", "express", "fastify", "h3", "hono", "next"]
    .map((name) => ({ name, folder: join(APPS, "node_modules", name) })),
  ...MAJORS.map(({ vite, folder }) => ({ name: vite, folder })),
];

beforeAll(async () => {
  project = await Project.create();
  mkdirSync(join(project.folder, "node_modules/@types"));
  for (const { name, folder } of IMPORTED) symlinkSync(folder, join(project.folder, "node_modules", name));
}, 60_000);
afterAll(() => project.remove());

/** How a file is compiled. */
interface Setup {
  compiler?: string;
  resolution?: string;
  types?: string[];
  lib?: string[];
  skipLibCheck?: boolean;
}

/** Type-checks files as a strict project does that has nothing but these types. */
async function typeCheck(
  texts: string | string[],
  {
    compiler = "typescript",
    resolution = "nodenext",
    types = [],
    lib = BROWSER_LIB,
    skipLibCheck = false,
  }: Setup,
): Promise<string> {
  const name = `${compiler}.${resolution}.${crypto.randomUUID()}`;
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck,
    noEmit: true,
    target: "es2022",
    lib,
    module: resolution === "nodenext" ? "nodenext" : "preserve",
    moduleResolution: resolution,
    typeRoots: [join(ROOT, "node_modules/@types")],
    types,
  };
  const files = [texts].flat().map((text, index) => ({ file: `${name}.${index}.ts`, text }));
  for (const { file, text } of files) await project.write(file, text);
  const json = { compilerOptions, files: files.map(({ file }) => file) };
  await project.write(`${name}.json`, JSON.stringify(json));
  const tsc = join(FOLDERS[compiler]!, "bin/tsc");
  return await project.run(process.execPath, tsc, "-p", `${name}.json`);
}

/** All the errors of a compiler: the number of the file, the place in it, and the code. */
const errorsOf = (said: string) => said.match(/(?:\w+\.ts\(\d+,\d+\): )?error TS\d+/g);

it("has types for each export, as attw finds them", { timeout: 60_000 }, async () => {
  // The package is ESM only: what `require` of old Nodes and of `node10` would find is none of its promises.
  const options = ["--profile", "esm-only", "--no-color", "--no-emoji"];
  const said = await project.run(join(APPS, "node_modules/.bin/attw"), project.tarball, ...options);
  // One row an export: what is found by `import` in Node, and by bundlers.
  const right = [...said.matchAll(/^│ "(.+?)" +│ OK \(ESM\) +│ OK +│/gm)].map(([, specifier]) => specifier);
  expect(right).toEqual(SPECIFIERS);
});

describe("the types of the package", { timeout: 60_000 }, () => {
  it("are checked with the oldest TypeScript that is promised", async () => {
    const tsc = join(FOLDERS.typescript54!, "bin/tsc");
    expect(await project.run(process.execPath, tsc, "-v")).toMatch(/^Version 5\.4\./);
  });

  it.each(ROWS)(
    "hold for all that it exports, and with those of Node, with $compiler and $resolution",
    async (row) => expect(await typeCheck([EVERYTHING, NODE_CONSUMER], { ...row, types: ["node"] })).toBe(""),
  );

  it.each(ROWS)("hold where there are no other types, with $compiler and $resolution", async (row) => {
    expect(await typeCheck(CONSUMER, row)).toBe("");
  });

  it.each(COMPILERS)("hold without those of browsers, and say what is wrong, with $compiler", async (row) => {
    const wrong = `import { createProxy } from "fetchvia";\ncreateProxy({ timeoutMs: {} as Date });`;
    const said = await typeCheck([CONSUMER, wrong], { ...row, types: ["node"], lib: ["es2022"] });
    expect(errorsOf(said)).toEqual(["1.ts(2,15): error TS2322"]);
  });

  it.each(MAJORS)("fit those of $vite, which say what is wrong", async ({ vite }) => {
    const setup = { resolution: "bundler", types: ["node"], skipLibCheck: true };
    const text = (plugin: string) =>
      `import type { Plugin } from "${vite}";
import { fetchvia } from "fetchvia/vite";
export const plugin: Plugin = ${plugin};`;
    const said = await typeCheck([text("fetchvia()"), text("{ ...fetchvia(), name: 1 }")], setup);
    expect(errorsOf(said)).toEqual(["1.ts(3,48): error TS2322"]);
  });

  it.each([
    { types: "bun", blocks: EXAMPLES.filter(({ place }) => place === "bun") },
    { types: "node", blocks: EXAMPLES.filter(({ place, title }) => place !== "bun" && title !== "Deno") },
  ])("fit the examples of the pages about servers for $types", async ({ types, blocks }) => {
    // Types of the frameworks are their own matter.
    const setup = { resolution: "bundler", types: [types], skipLibCheck: true };
    expect(blocks.length).toBeGreaterThan(4);
    expect(await typeCheck(blocks.map(({ code }) => `${code}\nexport {};`), setup)).toBe("");
  });

  it.each(EXAMPLES.filter(({ title }) => title === "Deno"))(
    "fit the example of $title on $place, as deno check sees them",
    async ({ place, code }) => {
      await project.write(`${place}.ts`, code);
      expect(await project.run(DENO, "check", "--quiet", `${place}.ts`)).toBe("");
    },
  );
});
