/**
 * Two proxies in one process that differ in one setting: each does what it does alone, whatever the other was asked before.
 */
import { createRequire } from "node:module";
import { Script } from "node:vm";
import { build } from "esbuild";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { HandedBody, Outgoing, RateStore, Runtime, Shared } from "../src/core/runtime.ts";
import type { Reply } from "../src/core/http/reply.ts";
import { isOption, type Options } from "../src/core/settings/config.ts";
import { SETTINGS } from "../src/core/settings/settings.ts";
import { BROWSER } from "./support/browser-fields.ts";

type FieldList = readonly (readonly [name: string, value: string])[];
type Plain = Record<string, string>;

/** What one of two proxies is made of. */
type Given = Options & Pick<Shared, "rateStore">;

/** A store that never counts to the limit. */
const GENEROUS: RateStore = { count: () => Promise.resolve({ requests: 1, msLeft: 1 }) };

/** A value of each option that is not its default. */
const OTHER: { readonly [K in keyof Given]-?: { value: unknown; with?: Options; isSeen: boolean } } = {
  proxyDomain: { value: "proxy.test", isSeen: true },
  mountPath: { value: "/front", isSeen: true },
  proxyLabels: { value: { api: "https://named.test" }, isSeen: true },
  targets: { value: { "a.test": { set: { "x-added": "1" }, answerSet: { "x-said": "1" } } }, isSeen: true },
  target: { value: "https://preset.test", isSeen: true },
  addressForms: { value: ["cors-anywhere"], isSeen: true },
  allowTargets: { value: ["b.test"], isSeen: true },
  denyTargets: { value: ["a.test"], isSeen: true },
  privateTargets: { value: false, isSeen: true },
  hosts: { value: ["proxy.test"], with: { privateTargets: true }, isSeen: true },
  trustNames: { value: true, isSeen: false },
  upstreamProxy: { value: "http://127.0.0.1:3128", isSeen: true },
  noUpstream: { value: ["a.test"], with: { upstreamProxy: "http://127.0.0.1:3128" }, isSeen: true },
  upstreamDns: { value: "remote", with: { upstreamProxy: "http://127.0.0.1:3128" }, isSeen: true },
  corsOrigins: { value: ["https://page.test"], isSeen: true },
  proxyToken: { value: "secret", isSeen: true },
  signingKey: { value: "a key for signatures", isSeen: true },
  callerTokens: { value: true, with: { signingKey: "a key for signatures" }, isSeen: true },
  revokedTokens: { value: ["ci"], with: { signingKey: "a key for signatures" }, isSeen: false },
  gate: { value: "report", with: { audit: () => {} }, isSeen: false },
  trustedProxies: { value: ["127.0.0.1"], isSeen: true },
  maxConcurrent: { value: 1, isSeen: false },
  rateLimit: { value: "2/60s", isSeen: true },
  rateStore: { value: GENEROUS, with: { rateLimit: "2/60s" }, isSeen: true },
  timeoutMs: { value: 20_000, isSeen: false },
  idleTimeoutMs: { value: 20_000, isSeen: false },
  maxRequestBytes: { value: 3, isSeen: true },
  maxResponseBytes: { value: 3, isSeen: true },
  maxRedirects: { value: 0, isSeen: true },
  forwardClient: { value: true, isSeen: true },
  via: { value: "fetchvia", isSeen: true },
  audit: { value: () => {}, isSeen: false },
  metrics: { value: true, isSeen: true },
  console: { value: false, isSeen: true },
  capture: { value: "heads", isSeen: false },
  captureBytes: { value: "2MiB", isSeen: false },
};

const LOCAL = { host: "localhost:8080" };
const A = { ...LOCAL, proxy_host: "http://a.test" };
const COOKIE = { ...LOCAL, ...BROWSER.typed, cookie: "proxy_host=http%3A%2F%2Fa.test; session=1" };
const ARG = btoa(JSON.stringify({ url: "http://a.test/moved" }));

/** What is asked; the same heads come again, as those of a client do. */
const ASKED: readonly { path?: string; method?: string; fields: Plain; body?: string }[] = [
  { fields: A },
  { path: "/moved", fields: A },
  { path: "/cookie", fields: A },
  { fields: COOKIE },
  { path: "/moved", fields: COOKIE },
  { path: "/front/x", fields: A },
  { fields: { host: "a-test.w.localhost:8080" } },
  { fields: { host: "h-a-test.w.proxy.test:8080" } },
  { fields: { host: "api.w.localhost:8080" } },
  { fields: LOCAL },
  { path: "/__proxy__/", fields: { ...LOCAL, accept: "application/json" } },
  { path: "/__proxy__/traffic", fields: LOCAL },
  { path: "/__proxy__/metrics", fields: LOCAL },
  { path: "/__proxy__/?url=http://a.test/x", fields: LOCAL },
  { path: "/__proxy__/?url=http://a.test/moved", fields: LOCAL },
  { path: `/__proxy__/fetch?arg=${encodeURIComponent(ARG)}`, fields: LOCAL },
  { path: "/http://a.test/x", fields: LOCAL },
  { fields: { ...LOCAL, proxy_host: "http://127.0.0.1:3000" } },
  { fields: { host: "proxy.test:8080", proxy_host: "http://127.0.0.1:3000" } },
  { fields: { ...A, origin: "http://localhost:5173", ...BROWSER.script } },
  { fields: { ...A, origin: "https://page.test", ...BROWSER.script } },
  { fields: { ...A, "x-forwarded-for": "192.0.2.7", "x-forwarded-proto": "https" } },
  { fields: { ...LOCAL, "x-forwarded-for": "192.0.2.7" } },
  { fields: { ...A, proxy_token: "secret" } },
  { method: "POST", fields: { ...A, "content-length": "5" }, body: "12345" },
];

/** What the target answers, by path. */
const ANSWERS: Readonly<Record<string, { status: number; fields: FieldList }>> = {
  "/moved": { status: 302, fields: [["location", "http://b.test/there"], ["content-length", "0"]] },
  "/cookie": { status: 200, fields: [["set-cookie", "a=1; Path=/; Secure"], ["content-length", "5"]] },
};
const USUAL = { status: 200, fields: [["content-type", "text/plain"], ["content-length", "5"]] as FieldList };

/** What one request led to. */
interface Outcome {
  readonly sent: readonly unknown[];
  readonly status: number;
  readonly headers: readonly unknown[];
  readonly body: unknown;
}

/** All modules as one function: each call evaluates them anew, much sooner than they are imported. */
const { outputFiles: [bundle] } = await build({
  stdin: {
    contents: `export { createProxy } from "./src/index.ts"; export * from "./src/core/http/fields.ts";`,
    resolveDir: process.cwd(),
  },
  bundle: true,
  write: false,
  format: "cjs",
  platform: "node",
});
const evaluate = new Script(`(function (module, require) {${bundle!.text}})`).runInThisContext() as (
  module: object,
  require: NodeJS.Require,
) => void;
type Modules = typeof import("../src/index.ts") & typeof import("../src/core/http/fields.ts");

/** A process of its own, as far as modules go: nothing in them remembers an earlier test. */
function startProcess() {
  const module = { exports: {} as Modules };
  evaluate(module, createRequire(import.meta.url));
  const { createProxy, Fields, KeptFields } = module.exports;
  const keep = (fields: FieldList) => new KeptFields(new Fields(fields));
  const heads = ASKED.map(({ fields }) => keep(Object.entries(fields)));
  const answers = new Map(Object.entries(ANSWERS).map(([path, { fields }]) => [path, keep(fields)]));
  const usual = keep(USUAL.fields);
  const sent: Outgoing[] = [];
  const runtime: Runtime = {
    clientAddress: "127.0.0.1",
    listensOnLoopback: true,
    obeysRoute: true,
    resolve: (name) => Promise.resolve([name === "b.test" ? "93.184.215.15" : "93.184.215.14"]),
    send(outgoing) {
      sent.push(outgoing);
      const { status } = ANSWERS[outgoing.path] ?? USUAL;
      const headers = answers.get(outgoing.path) ?? usual;
      const body: HandedBody = status === 200 ? new TextEncoder().encode("hello") : null;
      return Promise.resolve({ status, statusText: "", headers, body });
    },
  };
  return {
    start({ rateStore, ...options }: Given) {
      const shared = { id: "the-same", ticket: "the same" };
      const proxy = createProxy(options, rateStore ? { ...shared, rateStore } : shared);
      return async (at: number): Promise<Outcome> => {
        const { path = "/", method = "GET", body } = ASKED[at]!;
        const reply = await proxy.reply({
          method,
          url: `http://${heads[at]!.get("host")}${path}`,
          headers: heads[at]!,
          body: body === undefined ? null : new TextEncoder().encode(body),
          signal: new AbortController().signal,
        }, runtime);
        return await describeOutcome(reply, sent.splice(0));
      };
    },
  };
}

async function describeOutcome({ status, headers, body }: Reply, sent: Outgoing[]): Promise<Outcome> {
  return {
    sent: sent.map(({ method, origin, path, headers, addresses, route }) => ({
      method,
      target: origin.href + path,
      headers: [...headers],
      addresses,
      route: route?.upstream?.port,
    })),
    status,
    headers: [...headers],
    body: await new Response(body as BodyInit | null).text(),
  };
}

/** Asks each proxy everything three times, in turns, and gives what each of them did. */
async function ask(...each: Given[]): Promise<Outcome[][]> {
  const { start } = startProcess();
  const proxies = each.map(start);
  const outcomes = proxies.map((): Outcome[] => []);
  for (const at of [...ASKED.keys()].flatMap((index) => [index, index, index])) {
    for (const [number, request] of proxies.entries()) outcomes[number]!.push(await request(at));
  }
  return outcomes;
}

/** Most rows have nothing beside their option. */
const NOTHING: Given = {};
const told = new Map<Given, Promise<Outcome[][]>>();
const askOnce = (one: Given) => told.get(one) ?? told.set(one, ask(one)).get(one)!;

const ROWS = Object.entries(OTHER).map(([name, { value, with: more = NOTHING, isSeen }]) => {
  return { name, one: more, other: { ...more, [name]: value } as Given, isSeen };
});

it("every option has a row, a new one too", () => {
  const names = ["rateStore", ...Object.keys(SETTINGS).filter(isOption)];
  expect(ROWS.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
});

describe("two proxies in one process never share a decision", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date", "performance"], now: 1_700_000_000_000 });
    vi.spyOn(crypto, "randomUUID").mockReturnValue("00000000-0000-4000-8000-000000000000");
    return () => vi.restoreAllMocks();
  });

  it.each(ROWS)("that differ in $name", async ({ one, other, isSeen }) => {
    const [alone] = await askOnce(one);
    const [otherAlone] = await ask(other);
    expect(JSON.stringify(otherAlone) !== JSON.stringify(alone)).toBe(isSeen);
    // In turns, so each hears a request before and after the other.
    expect(await ask(one, other)).toEqual([alone, otherAlone]);
  });
});
