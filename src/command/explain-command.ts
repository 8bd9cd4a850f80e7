/**
 * `fetchvia explain`: says what a proxy with the same settings would do with a request, without sending it (rule 11.1).
 * @module
 */

import { decodeArg } from "../core/address/arg.ts";
import { EXPLAIN } from "../core/address/reserved-paths.ts";
import { Gate } from "../parts/gate/gate.ts";
import { mintToken } from "../parts/tokens/mint.ts";
import { createConfiguredProxy, type ErrorCode } from "../index.ts";
import { type Config, readConfig } from "../core/settings/config.ts";
import { readKeyFile } from "../runtimes/process/key-file.ts";
import { lookUp } from "../runtimes/process/look-up.ts";
import { findOwnAddresses } from "../runtimes/process/own-addresses.ts";
import { loadTable } from "../runtimes/process/targets-file.ts";
import { readFlags } from "./flags.ts";
import { readLink } from "./take-apart.ts";

/** How long the token for one question is valid, in seconds. Look-ups may take a while. */
const TOKEN_SECONDS = 60;

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
  const { value: token, flags: settings } = takeFlag("token", "a caller's token", flags);
  const config = readConfig(readKeyFile(environment), readFlags(settings, environment));
  const query = new URLSearchParams({ dns: "true", ...(method && { method }) });
  const told = await explain(`${query}&${describe(what)}`, config, token ?? config.proxyToken);
  return { text: JSON.stringify(told, null, 2), isAllowed: told.verdict.allowed };
}

/** Asks with the caller's token. If that is refused, asks as the operator for the rest, and reports the refusal. */
async function explain(query: string, config: Config, token: string): Promise<Told> {
  const proxy = await openProxy(config);
  const { answer, refusal } = await proxy.ask(query, token);
  if (answer.ok) return await answer.json() as Told;
  const { detail } = await answer.json() as { detail: string };
  if (answer.status !== 401 || refusal === undefined) throw new Error(detail);
  const { answer: own } = await proxy.ask(query, await readOwnToken(config));
  const told = await own.json() as Told & { detail: string };
  if (!own.ok) throw new Error(told.detail);
  return { ...told, verdict: { allowed: false, rule: refusal, reason: detail } };
}

/** Makes a proxy to ask, for one command. */
async function openProxy(settings: Config) {
  const { host, port, tlsCert, targets } = settings;
  // Settings for state shared between processes do not affect a single request.
  const config: Config = { ...settings, workers: 1, rateLimit: undefined, rateLimitStore: "" };
  const own = await findOwnAddresses(host, () => port);
  const gate = new Gate(config, targets === undefined ? undefined : loadTable(targets));
  let refusal: ErrorCode | undefined;
  const proxy = createConfiguredProxy(config, {
    settings: gate,
    // A question is no decision.
    audit: () => {},
    log: ({ error }) => void (refusal = error),
  });
  const ask = async (query: string, token: string) => {
    const request = new Request(
      `${tlsCert ? "https" : "http"}://localhost:${port}${EXPLAIN}?${query}`,
      token ? { headers: { proxy_token: token } } : {},
    );
    const answer = await proxy.handle(request, {
      ...own,
      clientAddress: "127.0.0.1",
      resolve: lookUp,
      obeysRoute: true,
      isOperator: true,
    });
    return { answer, refusal };
  };
  return { ask };
}

/** A token with which the operator may ask: the proxy's own, or a caller's token signed with its key. */
async function readOwnToken({ proxyToken, signingKey }: Config): Promise<string> {
  return proxyToken ||
    await mintToken({ id: "explain", expires: Date.now() / 1_000 + TOKEN_SECONDS }, signingKey);
}

/** The query parameter for the target, arg, link or path in question. */
function describe(what: string): string {
  const link = readLink(what);
  if (link) return `path=${encodeURIComponent(link.path)}`;
  if (what.startsWith("/")) return `path=${encodeURIComponent(what)}`;
  return decodeArg(what) ? `arg=${encodeURIComponent(what)}` : `url=${encodeURIComponent(what)}`;
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
