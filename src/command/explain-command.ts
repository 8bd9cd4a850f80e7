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
import { isFieldValue, isToken, isUpgrade } from "../core/http/headers.ts";
import { readKeyFile } from "../runtimes/process/key-file.ts";
import { lookUp } from "../runtimes/process/look-up.ts";
import { findOwnAddresses } from "../runtimes/process/own-addresses.ts";
import { listRevoked } from "../runtimes/process/revoked-file.ts";
import { loadTable } from "../runtimes/process/targets-file.ts";
import { readCommand } from "./flags.ts";
import { readLink } from "./take-apart.ts";

/** How long the token for one question is valid, in seconds. Look-ups may take a while. */
const TOKEN_SECONDS = 60;

/** What names the target of a request by itself. */
const SELECTING: ReadonlySet<string> = new Set(["proxy_host", "proxy-host", "cookie", "host"]);

/** An address of a WebSocket, and a link to one. */
const SOCKET = /^(?:[^?]*\?url=)?wss?(?::|%3a)/i;
/** What a WebSocket's handshake has beside its address (RFC 6455 §4.1). */
const HANDSHAKE = Object.entries({
  "connection": "Upgrade",
  "upgrade": "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
});

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
 * @param words the target, arg, link or path in question, and flags
 * @throws {Error} with a one-line message
 */
export async function explainRequest(
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<Explained> {
  const taken = {
    flags: ["method", "token"],
    lists: ["header"],
    takesWords: true,
    command: "explain",
  } as const;
  const { values: { method, token, ...settings }, listOf, positionals } = readCommand(
    words,
    taken,
    environment,
  );
  const [what, ...others] = positionals;
  if (!what || others.length > 0) {
    const state = what ? `there are ${positionals.length} arguments` : "there is no input";
    throw new Error(`Cannot explain: ${state}, expected an address, an arg, a link or a path`);
  }
  const empty = Object.entries({ method, token }).find(([, value]) => value === "");
  if (empty) throw new Error(`Cannot explain: --${empty[0]} is empty, expected a value`);
  const fields = readFields(listOf("header"));
  const config = readConfig(readKeyFile(environment), settings);
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
  const { ask, attempt, runtime, url } = await openProxy(config);
  const { name, value } = describe(what);
  const isSocket = SOCKET.test(what) || isUpgrade(fields);
  const socket = isSocket && { socket: "true" };
  const query = new URLSearchParams({ dns: "true", ...(method && { method }), ...socket, [name]: value });
  const sent = new Headers(fields);
  for (const [field, own] of HANDSHAKE) {
    // The page itself opens none.
    if (isSocket) fields.delete(field);
    if (isSocket && !sent.has(field)) sent.set(field, own);
  }
  let response = await ask(query, fields);
  if (!response.ok && response.status !== 400) {
    const own = await createOwnFields(config);
    for (const [field, value] of fields) if (SELECTING.has(field)) own.append(field, value);
    response = await ask(query, own);
  }
  const told = await response.json() as Told & { detail: string };
  if (!response.ok) throw new Error(told.detail);
  // The operator asks without the origin of a page.
  Object.assign(told, { cors: tellCors({ headers: fields, url }, { runtime, config }, (text) => text) });
  const refusal = await attempt(PATHS[name](value), method, sent);
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
    const response = await proxy.handle({ method, url, headers, body: null, signal }, lent);
    if (isSent || response.ok || refusal === undefined) return undefined;
    const { detail } = await response.json() as { detail: string };
    return { allowed: false, rule: refusal, reason: detail };
  };
  return { ask, attempt, runtime: lent, url: base };
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

/** Reads the headers of the request in question, `name: value` each. */
function readFields(lines: readonly string[]): Headers {
  const fields = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const [name, text] = [line.slice(0, Math.max(colon, 0)), line.slice(colon + 1).trim()];
    // The value may be a secret, so it is not shown.
    if (!isToken(name) || !isFieldValue(text)) {
      throw new Error(
        "Cannot explain: --header is not usable, expected a header such as 'Origin: https://app.example.com'",
      );
    }
    fields.append(name, text);
  }
  return fields;
}
