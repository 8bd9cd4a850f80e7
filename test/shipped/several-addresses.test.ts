/**
 * A target with several addresses, on each runtime: the first that answers is used (RFC 8305 §5).
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AUTHORITY, SIGNED_CERTIFICATE, SIGNED_KEY } from "../support/authority.ts";
import { listenDeaf } from "../support/deaf.ts";
import { DENO, RUN } from "../support/package.ts";
import { freePort } from "../support/free-port.ts";
import { ROOT } from "../support/proxy.ts";
import { listen, type Upstream } from "../support/upstream.ts";

/** The certificate's own; nobody else resolves it. */
const NAME = "tls.test";
const TRUSTED = join(mkdtempSync(join(tmpdir(), "fetchvia-")), "authority.pem");
writeFileSync(TRUSTED, AUTHORITY);
afterAll(() => rmSync(dirname(TRUSTED), { recursive: true }));
const { PATH, HOME } = process.env;
/** What a server that embeds the proxy gets. */
const embedded = (runtime: string) => `
  const { createProxy } = await import("fetchvia");
  const { runtime } = await import("fetchvia/${runtime}");`;
/** On Deno our own server has another sender, which the package does not show. */
const OWN = `
  const { createProxy } = await import("./src/index.ts");
  const { runtime: lent } = await import("./src/runtimes/deno/runtime.ts");
  const { createHttpSender } = await import("./src/wire/client/sender.ts");
  const { connectDeno } = await import("./src/runtimes/deno/connect-target.ts");
  const runtime = { ...lent, send: createHttpSender({ connect: connectDeno }) };`;
/** How code is given to each runtime, what it gets, and the object whose `connect` dials there. */
const RUNTIMES = [
  { runtime: "bun", command: [RUN.bun[0], "-e"], imports: embedded("bun"), dialler: "Bun" },
  { runtime: "deno", command: [DENO, "eval"], imports: OWN, dialler: "Deno" },
  {
    runtime: "node",
    command: [RUN.node[0], "--input-type=module", "-e"],
    imports: embedded("node"),
    dialler: undefined,
  },
] as const;
/** Nobody listens here, unless a test does. */
const OTHER = "127.0.0.2";
const THERE = "127.0.0.1";
/** Longer than eight addresses are silent, a quarter of a second each. */
const PATIENCE_MS = 2_600;

/**
 * Asks for a target at each line of stdin, with a proxy of its own, and tells the outcome in a line. Where it is to stall, the
 * turn of the event loop that dials takes longer than the next address waits.
 */
const program = (imports: string, dialler: string | undefined) => `
  let dialled = [];
  let stalls = false;
  const stall = async () => {
    for (let hop = 0; hop < 9; hop += 1) await hop;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
  };
  const onDial = () => stalls && process.nextTick(stall);
  const dialler = globalThis.${dialler};
  const connect = dialler?.connect;
  if (dialler) dialler.connect = (place) => (onDial(), dialled.push(place.hostname), connect(place));
  (await import("node:diagnostics_channel")).subscribe("net.client.socket", onDial);
  ${imports}
  const { createInterface } = await import("node:readline");
  for await (const line of createInterface({ input: process.stdin })) {
    const order = JSON.parse(line);
    dialled = [];
    stalls = order.stalls;
    const proxy = createProxy({ privateTargets: true, timeoutMs: ${PATIENCE_MS} });
    const request = new Request("http://localhost/", { headers: { proxy_host: order.origin } });
    const begun = performance.now();
    const response = await proxy.handle(request, { ...runtime, resolve: () => Promise.resolve(order.addresses) });
    const took = performance.now() - begun;
    console.log(JSON.stringify({ status: response.status, text: await response.text(), took, dialled }));
  }
  process.exit();`;

/** What a program heard from a target, and which addresses it dialled by the runtime's own means. */
interface Outcome {
  status: number;
  text: string;
  took: number;
  dialled: string[];
}

describe.each(RUNTIMES)("a target with several addresses on $runtime", ({ command, imports, dialler }) => {
  let upstream: Upstream;
  beforeEach(async () => {
    upstream = await listen();
    return () => upstream.close();
  });

  let child: ChildProcess;
  let outcomes: AsyncIterator<string>;
  beforeAll(() => {
    const [file, ...args] = command;
    const trust = { NODE_EXTRA_CA_CERTS: TRUSTED, DENO_CERT: TRUSTED };
    child = spawn(file, [...args, program(imports, dialler)], {
      cwd: ROOT,
      env: { PATH, HOME, DENO_NO_UPDATE_CHECK: "1", ...trust },
      stdio: ["pipe", "pipe", "inherit"],
    });
    outcomes = createInterface(child.stdout!)[Symbol.asyncIterator]();
  });
  afterAll(async () => {
    child.stdin!.end();
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  async function ask(origin: string, addresses: readonly string[], stalls = false): Promise<Outcome> {
    child.stdin!.write(`${JSON.stringify({ origin, addresses, stalls })}\n`);
    const { value } = await outcomes.next();
    return JSON.parse(value ?? '{"text":"the program has ended"}') as Outcome;
  }

  const named = (scheme: string, port: number | string) => `${scheme}://${NAME}:${port}`;
  const portOf = ({ origin }: Upstream) => Number(new URL(origin).port);
  /** What is dialled by the runtime's own means. */
  const own = (addresses: readonly string[]) => dialler ? addresses : [];

  it("is asked at the first", async () => {
    const outcome = await ask(named("http", portOf(upstream)), [THERE, OTHER]);
    expect(outcome).toMatchObject({ status: 200, dialled: own([THERE]) });
  });

  it("is asked at the second where the first refuses", async () => {
    const outcome = await ask(named("http", portOf(upstream)), [OTHER, THERE]);
    expect(outcome).toMatchObject({ status: 200, dialled: own([OTHER, THERE]) });
  });

  it("is asked at the second a quarter of a second after a first that is silent", async () => {
    const deaf = await listenDeaf(OTHER, portOf(upstream));
    const outcome = await ask(named("http", portOf(upstream)), [OTHER, THERE]);
    deaf.close();
    expect(outcome).toMatchObject({ status: 200, dialled: own([OTHER, THERE]) });
    expect(outcome.took).toBeGreaterThan(240);
  });

  it("is asked at the first, which answers while a turn keeps the proxy from noticing, and the second refuses", async () =>
    expect(await ask(named("http", portOf(upstream)), [THERE, OTHER], true)).toMatchObject({ status: 200 }));

  it("is tried at eight of them at once where a hostile name has more, and all are silent", async () => {
    const deaf = await listenDeaf("0.0.0.0");
    const addresses = Array.from({ length: 12 }, (_, index) => `127.0.1.${index + 1}`);
    const outcome = await ask(named("http", new URL(deaf.origin).port), addresses);
    deaf.close();
    expect(outcome).toMatchObject({ status: 504, dialled: own(addresses.slice(0, 8)) });
  });

  it("is said to refuse where all of them do, as one is", async () => {
    const origin = named("http", await freePort());
    const [one, all] = [await ask(origin, [THERE]), await ask(origin, [OTHER, THERE])];
    expect(all.status).toBe(502);
    expect(all.text).toBe(one.text);
  });

  describe("by https", () => {
    let port: number;
    beforeEach(async () => {
      const server = createServer({ cert: SIGNED_CERTIFICATE, key: SIGNED_KEY }, (_request, response) => {
        response.end("by https");
      });
      await new Promise<void>((resolve) => server.listen(0, THERE, resolve));
      port = (server.address() as AddressInfo).port;
      return () => void server.close();
    });

    it("is asked at the second where the first refuses", async () => {
      const outcome = await ask(named("https", port), [OTHER, THERE]);
      expect(outcome).toMatchObject({ status: 200, text: "by https" });
    });

    it("is asked at the first, which answers while a turn keeps the proxy from noticing", async () => {
      const outcome = await ask(named("https", port), [THERE, OTHER], true);
      expect(outcome).toMatchObject({ status: 200, text: "by https" });
    });

    it("is asked at the second where the first is silent", async () => {
      const deaf = await listenDeaf(OTHER, port);
      const outcome = await ask(named("https", port), [OTHER, THERE]);
      deaf.close();
      expect(outcome).toMatchObject({ status: 200, text: "by https" });
      expect(outcome.took).toBeGreaterThan(240);
    });
  });
});
