/**
 * `fetchvia explain`: says what a proxy with the same settings would do with a request, without sending it (rule 11.1).
 * @module
 */

import { decodeArg } from "../core/address/arg.ts";
import { EXPLAIN, RESERVED } from "../core/address/reserved-paths.ts";
import { tellCors } from "../parts/explain/explain.ts";
import { Gate } from "../parts/gate/gate.ts";
import { mintToken } from "../parts/tokens/mint.ts";
import { createConfiguredProxy, type ErrorCode } from "../index.ts";
import { type Config, readConfig } from "../core/settings/config.ts";
import { isFieldValue, isToken } from "../core/http/headers.ts";
import { readKeyFile } from "../runtimes/process/key-file.ts";
import { lookUp } from "../runtimes/process/look-up.ts";
import { findOwnAddresses } from "../runtimes/process/own-addresses.ts";
import { listRevoked } from "../runtimes/process/revoked-file.ts";
import { loadTable } from "../runtimes/process/targets-file.ts";
import { readFlags } from "./flags.ts";
import { readLink } from "./take-apart.ts";

/** How long the token for one question is valid, in seconds. Look-ups may take a while. */
const TOKEN_SECONDS = 60;

/** What names the target of a request by itself. */
const SELECTING: ReadonlySet<string> = new Set(["proxy_host", "proxy-host", "cookie", "host"]);

/** The part of a response of `/__proxy__/explain` that the command reads. */
interface Told {
  readonly verdict: { readonly allowed: boolean; readonly rule: string; readonly reason: string };
}

/** The output, and the verdict. */
export interface Explained {
  /** JSON. */
  text: string;
  isAllowed: boolean;
}

/**
 * Explains a request as if it came from a program on this machine. Names are looked up.
 *
 * @param words the target, arg, link or path in question, then flags
 * @throws {Error} with a one-line message
 */
export async function explainRequest(
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<Explained> {
  const [what, ...rest] = words;
  if (!what || what.startsWith("-")) {
    throw new Error("Cannot explain: there is no input, expected an address, an arg, a link or a path first");
  }
  const { value: method, flags } = takeFlag("method", "a method such as POST", rest);
  const { value: token, flags: withFields } = takeFlag("token", "a caller's token", flags);
  const { fields, flags: settings } = takeFields(withFields);
  const config = readConfig(readKeyFile(environment), readFlags(settings, environment));
  const shown = token ?? (fields.has("proxy_token") ? "" : config.proxyToken);
  if (shown) fields.set("proxy_token", shown);
  const told = await explain({ what, method, fields }, config);
  return { text: JSON.stringify(told, null, 2), isAllowed: told.verdict.allowed };
}

/** The request in question. */
interface Asked {
  readonly what: string;
  readonly method: string | undefined;
  readonly fields: Headers;
}

/**
 * Asks the page, as the caller or else as the operator. The request itself, stopped where it would be sent, then tells what
 * refuses it before: the door judges other paths otherwise than that of the page.
 */
async function explain({ what, method, fields }: Asked, config: Config): Promise<Told> {
  const { ask, attempt, runtime } = await openProxy(config);
  const { name, value } = describe(what);
  const query = new URLSearchParams({ dns: "true", ...(method && { method }), [name]: value });
  let answer = await ask(query, fields);
  if (!answer.ok && answer.status !== 400) {
    const own = await createOwnFields(config);
    for (const [field, value] of fields) if (SELECTING.has(field)) own.append(field, value);
    answer = await ask(query, own);
  }
  const told = await answer.json() as Told & { detail: string };
  if (!answer.ok) throw new Error(told.detail);
  // The operator asks without the origin of a page.
  Object.assign(told, { cors: tellCors(fields, { runtime, config }, (text) => text) });
  const refusal = await attempt(PATHS[name](value), method, fields);
  return refusal && refusal.reason !== told.verdict.reason ? { ...told, verdict: refusal } : told;
}

/** Makes a proxy to ask, for one command. */
async function openProxy(settings: Config) {
  const { host, port, tlsCert, targets } = settings;
  // Settings for state shared between processes do not affect a single request.
  const config: Config = { ...settings, workers: 1, rateLimit: undefined, rateLimitStore: "" };
  const own = await findOwnAddresses(host, () => port);
  const gate = new Gate(config, targets === undefined ? undefined : loadTable(targets));
  gate.revoke(listRevoked(settings.revokedTokens));
  let refusal: ErrorCode | undefined;
  let isSent = false;
  const send = () => {
    isSent = true;
    return Promise.reject(new Error("nothing is sent"));
  };
  const proxy = createConfiguredProxy(config, {
    settings: gate,
    // A question is no decision.
    audit: () => {},
    log: ({ error }) => void (refusal = error),
  });
  const lent = { ...own, clientAddress: "127.0.0.1", resolve: lookUp, obeysRoute: true, send, upgrade: send };
  const base = `${tlsCert ? "https" : "http"}://localhost:${port}`;
  const ask = (query: URLSearchParams, headers: Headers) => {
    // The page takes a + for what it is.
    const address = `${base}${EXPLAIN}?${query.toString().replaceAll("+", "%20")}`;
    return proxy.handle(new Request(address, { headers }), { ...lent, isOperator: true });
  };
  /** Makes the request, up to where it would be sent; tells what refuses it before. */
  const attempt = async (path: string, method = "GET", headers: Headers) => {
    // A `Request` takes no TRACE and no CONNECT.
    const { url, signal } = new Request(`${base}${path}`);
    const answer = await proxy.handle({ method, url, headers, body: null, signal }, lent);
    if (isSent || answer.ok || refusal === undefined) return undefined;
    const { detail } = await answer.json() as { detail: string };
    return { allowed: false, rule: refusal, reason: detail };
  };
  return { ask, attempt, runtime: lent };
}

/** The headers with which the operator may ask: the proxy's own token, or a caller's token signed with its key. */
async function createOwnFields({ proxyToken, signingKey }: Config): Promise<Headers> {
  const claims = { id: "explain", expires: Date.now() / 1_000 + TOKEN_SECONDS };
  const token = proxyToken || (signingKey && await mintToken(claims, signingKey));
  return new Headers(token ? { proxy_token: token } : {});
}

/** The paths at which requests of each kind come. */
const PATHS = {
  path: (path: string) => path,
  url: (url: string) => `${RESERVED}/?url=${encodeURIComponent(url)}`,
  arg: (arg: string) => `${RESERVED}/fetch?arg=${encodeURIComponent(arg)}`,
} as const;

/** The query parameter for the target, arg, link or path in question. */
function describe(what: string): { name: keyof typeof PATHS; value: string } {
  const path = readLink(what)?.path ?? (what.startsWith("/") ? what : undefined);
  if (path !== undefined) return { name: "path", value: path };
  return { name: decodeArg(what) ? "arg" : "url", value: what };
}

/** Removes `--header` from the other flags, each time that it is there. */
function takeFields(flags: readonly string[]): { fields: Headers; flags: readonly string[] } {
  const expected = "a header such as 'Origin: https://app.example.com'";
  const fields = new Headers();
  for (let rest = flags;;) {
    const { value, flags: others } = takeFlag("header", expected, rest);
    if (value === undefined) return { fields, flags: rest };
    const colon = value.indexOf(":");
    const [name, text] = [value.slice(0, Math.max(colon, 0)), value.slice(colon + 1).trim()];
    // The value may be a secret, so it is not shown.
    if (!isToken(name) || !isFieldValue(text)) {
      throw new Error(`Cannot explain: --header is not usable, expected ${expected}`);
    }
    fields.append(name, text);
    rest = others;
  }
}

/** Removes a flag that is not a setting from the others, and returns its value. */
function takeFlag(
  name: string,
  expected: string,
  flags: readonly string[],
): { value: string | undefined; flags: string[] } {
  const start = `--${name}=`;
  const index = flags.findIndex((flag) => flag === `--${name}` || flag.startsWith(start));
  const flag = flags[index];
  if (flag === undefined) return { value: undefined, flags: [...flags] };
  const isInline = flag.startsWith(start);
  const value = isInline ? flag.slice(start.length) : flags[index + 1];
  if (!value) throw new Error(`Cannot explain: --${name} is empty, expected ${expected}`);
  return { value, flags: flags.toSpliced(index, isInline ? 1 : 2) };
}
