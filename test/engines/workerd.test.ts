/**
 * The tables of what decides, inside workerd: addresses, labels, lists, arguments, cookies, fields, settings and steps. Its
 * engine is V8, as Node's is, but `URL`, streams and responses are its own.
 * @module
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { ROOT } from "../support/proxy.ts";
import { KNOWN_DATE, Shipped } from "../support/workerd.ts";

const ROOMS = [
  ...["address", "door", "exchange", "http", "may", "pages/argument", "settings", "steps", "way", "who"]
    .map((room) => `core/${room}`),
  ...["capture", "forms", "gate", "headers", "links", "tokens"].map((part) => `parts/${part}`),
];
/** What a Worker has not: files, programs, other modules in place of ours, and clocks that are turned. */
const LEFT_OUT = /\bvi\b|\bwait\.ts|node:(?:fs|vm)|scripts\/|support\/growth|RequestCache/;
/** It takes half a minute on two idle cores. */
const PATIENCE_MS = 600_000;

/** What differs there: its `URL` takes a malformed IDN, which no DNS has, and it fills in a reason (RFC 9112 §4). */
const DIFFERENT = [
  "test/core/address/label.test.ts > refused > label, 'malformed IDN': 's-xn----a'",
  "test/core/address/label.test.ts > refused > no base address, 'malformed IDN': 'https://xn--a.example'",
  "test/core/http/reply.test.ts > toResponse > gives an answer of the proxy's own no reason",
];

/** Bundles the tests with what runs them. */
async function bundle(paths: readonly string[], folder: string): Promise<void> {
  const files = paths.map((path) => `${JSON.stringify(path)}: () => import("./${path}")`);
  const contents = `import { runTests } from "./test/engines/workerd/main.ts";
const files = { ${files.join(", ")} };
export default { fetch: () => runTests(files) };`;
  await build({
    stdin: { contents, resolveDir: ROOT },
    bundle: true,
    format: "esm",
    platform: "node",
    outfile: join(folder, "main.js"),
    alias: { vitest: join(ROOT, "test/engines/workerd/vitest.ts") },
  });
}

/** What workerd needs to run the bundle. */
const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(
    name = "main",
    worker = (
      modules = [(name = "main.js", esModule = embed "main.js")],
      compatibilityDate = "${KNOWN_DATE}",
    ),
  )],
  sockets = [(name = "http", http = (), service = "main")],
);
`;

it("all of them hold in workerd", async () => {
  const paths = ROOMS.flatMap((room) =>
    readdirSync(join(ROOT, "test", room), { recursive: true }).map((name) => `test/${room}/${String(name)}`)
  ).filter((path) => path.endsWith(".test.ts") && !LEFT_OUT.test(readFileSync(join(ROOT, path), "utf8")));
  const folder = mkdtempSync(join(tmpdir(), "fetchvia-workerd-"));
  await bundle(paths, folder);
  writeFileSync(join(folder, "config.capnp"), CONFIG);
  const worker = new Shipped({}, join(folder, "config.capnp"));
  const response = await fetch(`http://127.0.0.1:${await worker.listen()}/`);
  const { passed, failed } = await response.json() as { passed: number; failed: string[] };
  await worker.stop();
  rmSync(folder, { recursive: true });
  expect(failed.filter((failure) => !DIFFERENT.some((title) => failure.startsWith(`${title}: `)))).toEqual(
    [],
  );
  expect(failed).toHaveLength(DIFFERENT.length);
  expect(passed).toBeGreaterThan(6_000);
}, PATIENCE_MS);
