/**
 * Records of decisions for the tests of `fetchvia policy`, their replay, and requests that differ from them in one thing.
 * @module
 */
import { mintToken } from "../../src/parts/tokens/mint.ts";
import { createProxy } from "../../src/index.ts";
import type { Send } from "../../src/core/runtime.ts";
import type { Options } from "../../src/core/settings/config.ts";
import type { Dice } from "./dice.ts";
import { incoming, target } from "./handle.ts";

/** One request, as a record has it. */
export interface Sent {
  method: string;
  scheme: string;
  host: string;
  path: string;
}

/** Lines of a record, each with a time of its own; `more` are further members. */
export function linesOf(requests: readonly Sent[], more: object = {}): string {
  return requests.map((sent, index) => {
    const time = new Date(Date.UTC(2030, 0, 1) + index).toISOString();
    const rest = { rule: "addresses", verdict: "allowed", ...more };
    return `${
      JSON.stringify({ time, id: `${index}`, caller: "127.0.0.1", selector: "url", ...sent, ...rest })
    }\n`;
  }).join("");
}

/** A request from `POST https://a.test/path`; the path stays as it is written. */
export function sentOf(text: string): Sent {
  const [, method = "", scheme = "", host = "", path = ""] = /^(\S+) (\w+):\/\/([^/]*)(\S*)$/.exec(text)!;
  return { method, scheme, host, path };
}

/** The text of a request. */
export function textOf({ method, scheme, host, path }: Sent): string {
  return `${method} ${scheme}://${host}${path}`;
}

const SIGNING_KEY = "the key of the tests";
/** What every target answers; handshakes too, which it refuses. */
const ARRIVED = 418;
const HANDSHAKE = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
};

/** A policy as `--json` writes it. */
export interface Written {
  targets: Record<string, { requests: string[] }>;
  claims: Record<string, string[]>;
}

/** The fields with which a caller names the target of a request, and opens a WebSocket. */
export function fieldsOf({ scheme, host }: Sent): Record<string, string> {
  const origin = `${scheme.replace("ws", "http")}://${host}`;
  return { proxy_host: origin, ...(scheme.startsWith("ws") && HANDSHAKE) };
}

/** A proxy with the table, asked with a token of the claims; without a policy, one that allows all. Every name has this address. */
export async function openPolicy(
  policy?: Written,
  address = "93.184.215.14",
): Promise<(sent: Sent) => Promise<boolean>> {
  const options: Options = policy
    ? { targets: policy.targets, signingKey: SIGNING_KEY, callerTokens: true }
    : {};
  const proxy = createProxy(options);
  const expires = Date.now() / 1_000 + 3_600;
  const token = policy && await mintToken({ id: "ci", expires, ...policy.claims }, SIGNING_KEY);
  const send: Send = () =>
    Promise.resolve({ status: ARRIVED, statusText: "", headers: new Headers(), body: null });
  const resolve = () => Promise.resolve([address]);
  const runtime = { ...target().runtime, send, upgrade: send, resolve };
  return async (sent) => {
    const fields = { ...fieldsOf(sent), ...(token && { proxy_token: token }) };
    return (await proxy.handle(incoming(sent.path, fields, sent.method), runtime)).status === ARRIVED;
  };
}

type Mutation = (sent: Sent, dice: Dice) => Partial<Sent>;
const hostOf = (change: (name: string) => string): Mutation => ({ host }) => {
  const [, name = "", port = ""] = /^(.*?)(:\d+)?$/.exec(host)!;
  return { host: change(name) + port };
};
const pathOf = (change: (path: string, at: number) => string): Mutation => ({ path }, dice) => {
  const slashes = [...path.matchAll(/\//g)].map(({ index }) => index);
  return { path: change(path, dice.pick(slashes)) };
};
const LETTERS: Record<string, string> = { a: "4", e: "3", i: "1", l: "1", o: "0", s: "5" };

/** What another request differs in. */
const MUTATIONS: Readonly<Record<string, Mutation>> = {
  "another host": hostOf(() => "other.test"),
  "a subdomain": hostOf((name) => `x.${name}`),
  "the domain above": hostOf((name) => name.replace(/^[^.]+\./, "")),
  "a host that begins so": hostOf((name) => `${name}.other.test`),
  "a host that ends so": hostOf((name) => `other-${name}`),
  "a host that looks so": hostOf((name) => name.replace(/[aeilos]/, (letter) => LETTERS[letter]!)),
  "another address": hostOf(() => "198.51.100.7"),
  "another address of six": hostOf(() => "[2001:db8::7]"),
  "another port": ({ host }, dice) => ({
    host: `${host.replace(/:\d+$/, "")}:${20_000 + Math.floor(dice.roll() * 1e4)}`,
  }),
  "no port": ({ host }) => ({ host: host.replace(/:\d+$/, "") }),
  "another scheme": (_, dice) => ({ scheme: dice.pick(["http", "https", "ws", "wss"]), method: "GET" }),
  "another method": (_, dice) => ({
    scheme: "https",
    method: dice.pick(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "MOVE", "get"]),
  }),
  "a path that is cut": pathOf((path, at) => path.slice(0, at) || "/"),
  "a path that is cut behind a slash": pathOf((path, at) => path.slice(0, at + 1)),
  "a shorter path": pathOf((path) => path.slice(0, -1) || "/"),
  "a longer path": pathOf((path) => `${path}x`),
  "a path below": pathOf((path) => `${path}/x`),
  "a slash behind it": pathOf((path) => `${path}/`),
  "a path beside it": pathOf((path) => path.replace(/[^/]*$/, "x")),
  "a path around it": pathOf((path) => `/x${path}`),
  "an encoded slash": pathOf((path, at) => `${path.slice(0, at + 1)}%2f${path.slice(at + 1)}`),
  "another slash": pathOf((path, at) => `${path.slice(0, at)}/${path.slice(at)}`),
  "a backslash": pathOf((path, at) => `${path.slice(0, at)}/\\${path.slice(at + 1)}`),
  "a dot": pathOf((path, at) => `${path.slice(0, at)}/.${path.slice(at)}`),
  "two dots": pathOf((path, at) => `${path.slice(0, at)}/x/..${path.slice(at)}`),
  "two encoded dots": pathOf((path, at) => `${path.slice(0, at)}/x/%2e%2e${path.slice(at)}`),
  "two dots behind it": pathOf((path) => `${path}/..`),
  "a parameter": pathOf((path) => `${path};x`),
  "an encoded letter": pathOf((path) => path.replace(/[a-z]/, (one) => `%${one.charCodeAt(0).toString(16)}`)),
  "other letters": pathOf((path) => path.toUpperCase()),
};

/** As many requests that are not among these, each of which differs from one of them in one thing or in two. */
export function dealMutants(requests: readonly Sent[], count: number, dice: Dice): Sent[] {
  const known = new Set(requests.map(textOf));
  const mutants: Sent[] = [];
  while (mutants.length < count) {
    const change = (sent: Sent) => ({ ...sent, ...dice.pick(Object.values(MUTATIONS))(sent, dice) });
    const once = change(dice.pick(requests));
    const mutant = dice.roll() < 0.5 ? once : change(once);
    if (!known.has(textOf(mutant))) mutants.push(mutant);
  }
  return mutants;
}
