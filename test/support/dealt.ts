/**
 * Requests and settings at random, and what two proxies send for them: whatever parts do, nothing goes out that the core alone
 * would not send.
 * @module
 */
import { expect } from "vitest";
import type { CoreOptions, Proxy } from "../../src/core/index.ts";
import type { Options } from "../../src/core/settings/config.ts";
import type { Dice } from "./dice.ts";
import { incoming, target } from "./handle.ts";
import { words } from "./rows.ts";

const HOSTS = words`https://a.test http://localhost:81 http://10.1.2.3 http://169.254.169.254 https://b.test`;

/** Values of the options that the core applies. */
export const OF_CORE: { readonly [K in keyof CoreOptions]-?: readonly NonNullable<CoreOptions[K]>[] } = {
  proxyDomain: ["proxy.test"],
  mountPath: ["/front"],
  proxyLabels: [{ api: "http://a.test" }, { api: "http://10.1.2.3" }],
  target: ["http://a.test", "http://10.1.2.3"],
  allowTargets: [["a.test"], ["*.test", "localhost:81"], ["10.0.0.0/8"]],
  denyTargets: [["b.test", "localhost"], ["a.test"]],
  privateTargets: [true, false, "auto", ["auto", "10.0.0.0/8"]],
  hosts: [["proxy.test"]],
  trustNames: [true],
  upstreamProxy: ["http://user:pass@127.0.0.1:3128", "socks5://127.0.0.1:1080"],
  noUpstream: [["a.test"]],
  upstreamDns: ["local", "remote"],
  corsOrigins: ["*", ["https://evil.test"], ["https://app.test"]],
  proxyToken: ["secret"],
  signingKey: ["a key for signatures"],
  trustedProxies: [["127.0.0.1"]],
  maxConcurrent: [1],
  rateLimit: ["1/60s"],
  timeoutMs: [0, 20_000],
  idleTimeoutMs: [0, 20_000],
  maxRequestBytes: [3, 5],
  maxResponseBytes: [3, 5],
  maxRedirects: [0, 1],
  forwardClient: [true],
  via: ["front"],
};
/** Values of the options that parts apply. The limits of a target replace those of the proxy, so none stands here. */
export const OF_PARTS: {
  readonly [K in Exclude<keyof Options, keyof CoreOptions>]-?: readonly NonNullable<Options[K]>[];
} = {
  targets: [
    { "a.test": { set: { "x-added": "1" }, methods: ["POST"] }, "10.1.2.3": { paths: ["/y"] } },
    { "*": { upstream: "direct" } },
  ],
  addressForms: [["cors-anywhere", "corsproxy", "scalar", "git"]],
  callerTokens: [true],
  revokedTokens: [["ci"]],
  gate: ["report"],
  audit: [() => {}],
  metrics: [true],
  console: [true, false],
  capture: ["off", "heads", "64KiB"],
  captureBytes: ["1MiB"],
};
/** What some of them are not taken without. */
const WITH: Readonly<Record<string, Options>> = {
  noUpstream: { upstreamProxy: "http://127.0.0.1:3128" },
  upstreamDns: { upstreamProxy: "http://127.0.0.1:3128" },
  callerTokens: { signingKey: "a key for signatures" },
  revokedTokens: { signingKey: "a key for signatures" },
  gate: { audit: () => {} },
  capture: { console: true },
};

/** A request, and the options of the proxies that get it. */
export interface Dealt {
  readonly options: Options;
  readonly path: string;
  readonly fields: Record<string, string>;
  readonly body?: string | undefined;
}

function dealOptions(dice: Dice, values: Readonly<Record<string, readonly unknown[]>>): Options {
  const dealt = Object.entries(values).filter(() => dice.roll() < 0.15);
  return Object.assign(
    {},
    ...dealt.map(([name, all]) => ({ ...WITH[name], [name]: dice.pick(all) })),
  ) as Options;
}

/** A request that may get through, with settings of all kinds. */
export function dealRequest(
  dice: Dice,
  values: Readonly<Record<string, readonly unknown[]>> = OF_CORE,
): Dealt {
  const options = dealOptions(dice, values);
  const host = dice.pick(HOSTS);
  const [path, named] = dice.pick<[string, Record<string, string>]>([
    [`/__proxy__/?url=${encodeURIComponent(`${host}/x`)}`, {}],
    ["/x", { proxy_host: host }],
    ["/x", { cookie: `proxy_host=${encodeURIComponent(host)}` }],
    ["/x", { host: "a-test.w.localhost:8080" }],
    ["/x", { host: "api.w.proxy.test" }],
    ["/x", {}],
  ]);
  const page = dice.maybe(() => ({ origin: dice.pick(["https://evil.test", "http://localhost:8080"]) }));
  const front = dice.maybe(() => ({ "x-forwarded-for": "192.0.2.7", "x-forwarded-proto": "https" }));
  const token = dice.maybe(() => ({ proxy_token: "secret" }));
  const body = dice.roll() < 0.2 ? "12345" : undefined;
  return {
    options,
    path: (options.mountPath && dice.roll() < 0.8 ? options.mountPath : "") + path,
    fields: { ...named, ...page, ...front, ...token, ...body && { "content-length": "5" } },
    body,
  };
}

/** What was sent, without what differs from proxy to proxy. The table of targets may change headers and routes: then not whole. */
function factsOf({ sent }: ReturnType<typeof ask>, isWhole: boolean) {
  return sent.map(({ method, origin, path, headers, addresses, route }) => ({
    method,
    target: origin.origin + path,
    ...isWhole && {
      addresses,
      upstream: route?.upstream,
      headers: [...headers].filter(([name]) => name !== "cdn-loop"),
    },
  }));
}

/** Cases in which something was sent, in which the core alone refused, and in which parts did. */
export class Tally {
  readonly told = { sent: 0, refused: 0, narrowed: 0 };

  async compare(
    dealt: Dealt,
    alone: ReturnType<typeof ask>,
    joined: ReturnType<typeof ask>,
    isWhole: boolean,
  ) {
    const answers = await Promise.all([alone.answer, joined.answer]);
    const [allowed, done] = [factsOf(alone, isWhole), factsOf(joined, isWhole)];
    expect(done, JSON.stringify(dealt)).toEqual(allowed.slice(0, done.length));
    this.told.sent += Math.min(1, done.length);
    this.told.refused += allowed.length === 0 ? 1 : 0;
    this.told.narrowed += done.length < allowed.length ? 1 : 0;
    return answers;
  }
}

/** What one proxy does with a request: the target leads on to another one, which answers with a few bytes. */
export function ask(proxy: Proxy, { path, fields, body }: Dealt) {
  const { runtime, sent } = target(
    { status: 302, headers: new Headers({ location: "http://10.1.2.3/on" }) },
    { body: new TextEncoder().encode("hello") },
  );
  const method = body === undefined ? "GET" : "POST";
  const request = incoming(path, fields, method, body === undefined ? null : new TextEncoder().encode(body));
  return { sent, answer: proxy.handle(request, { ...runtime, obeysRoute: true }) };
}
