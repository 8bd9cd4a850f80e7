/**
 * `git clone` and `git push` of 20 MB through the proxy: `git http-backend` begins its answer before it has read the pack.
 * @module
 */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { git, GitHost } from "../support/git.ts";
import { type Proxy, type RuntimeName, startProxy } from "../support/proxy.ts";
import { labelOf } from "../support/ways.ts";

const LARGE = 20_000_000;
/** Longer than git may take for all of them, each for itself. */
const TIMEOUT_MS = 60_000;

/** What git is told beside the address, the address, and how often it pushes: what hangs hangs now and then. */
const WAYS = [
  {
    way: "by header",
    pushes: { bun: 1, deno: 4, node: 1, worker: 1 } as Partial<Record<RuntimeName, number>>,
    options: (origin: string) => ["-c", `http.extraHeader=proxy_host: ${origin}`],
    address: (port: number) => `http://127.0.0.1:${port}`,
  },
  {
    way: "by label",
    // The rest of the way is the same, whatever names the target.
    pushes: { node: 1 } as Partial<Record<RuntimeName, number>>,
    options: () => [],
    address: (port: number, origin: string) => `http://${labelOf(origin)}.w.localhost:${port}`,
  },
];

let host: GitHost;
let expected: string[];
beforeAll(async () => {
  host = await GitHost.start(LARGE);
  expected = await host.read(host.work);
  return () => host.stop();
});

describe.each(
  [{ runtime: "bun" }, { runtime: "deno" }, { runtime: "node" }, { runtime: "worker" }] as const,
)("git through $runtime", ({ runtime }) => {
  let proxy: Proxy;
  beforeAll(async () => void (proxy = await startProxy(runtime)));
  afterAll(async () => void await proxy.stop("SIGKILL"));

  const ways = WAYS.filter(({ pushes }) => runtime in pushes);
  it.each(ways)("pushes and clones 20 MB $way", async ({ pushes, options, address }) => {
    const names = await Promise.all(Array.from({ length: pushes[runtime]! }, () => host.create()));
    const at = address(proxy.port, host.origin);
    for (const name of names) {
      await git("-C", host.work, ...options(host.origin), "push", "--quiet", `${at}/${name}`, "main");
    }
    const [name = ""] = names;
    const clone = join(host.folder, `${runtime}-${name}`);
    await git(...options(host.origin), "clone", "--quiet", `${at}/${name}`, clone);
    const paths = [...names.map((pushed) => join(host.folder, pushed)), clone];
    expect(await Promise.all(paths.map((path) => host.read(path)))).toEqual(paths.map(() => expected));
  }, TIMEOUT_MS);
});
