/**
 * `fetchvia explain`: what a proxy with the same settings would do with a request, without sending it (contract 11).
 * @module
 */

import { decodeArg } from "../../address/arg.ts";
import { EXPLAIN } from "../../address/reserved-paths.ts";
import { Gate } from "../../exchange/gate/gate.ts";
import { mintToken } from "../../exchange/tokens/mint.ts";
import { createConfiguredProxy } from "../../index.ts";
import { type Config, readConfig } from "../../settings/config.ts";
import { readKeyFile } from "../process/key-file.ts";
import { lookUp } from "../process/look-up.ts";
import { findOwnAddresses } from "../process/own-addresses.ts";
import { loadTable } from "../process/targets-file.ts";
import { readFlags } from "./flags.ts";
import { readLink } from "./link.ts";

/** How long a token for one question counts: look-ups take their time. */
const TOKEN_SECONDS = 60;

/** What is written, and the verdict. */
export interface Explained {
  /** JSON. */
  text: string;
  isAllowed: boolean;
}

/**
 * Explains a request of a program on this machine. Names are looked up.
 *
 * @param words what is asked about, then flags
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
  const { method, flags } = takeMethod(rest);
  const config = readConfig(readKeyFile(environment), readFlags(flags, environment));
  const query = new URLSearchParams({ dns: "true", ...(method && { method }) });
  const answer = await ask(`${query}&${describe(what)}`, config);
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.detail);
  return { text: JSON.stringify(told, null, 2), isAllowed: told.verdict.allowed };
}

/** Asks a proxy that is made for this one question. */
async function ask(query: string, settings: Config): Promise<Response> {
  const { host, port, tlsCert, targets } = settings;
  const token = await readToken(settings);
  // What several processes share says nothing of one request.
  const config: Config = { ...settings, workers: 1, rateLimit: undefined, rateLimitStore: "" };
  const own = await findOwnAddresses(host, () => port);
  const gate = new Gate(config, targets === undefined ? undefined : loadTable(targets));
  const proxy = createConfiguredProxy(config, { gate });
  const request = new Request(
    `${tlsCert ? "https" : "http"}://localhost:${port}${EXPLAIN}?${query}`,
    token ? { headers: { proxy_token: token } } : {},
  );
  return await proxy.handle(request, {
    ...own,
    clientAddress: "127.0.0.1",
    resolve: lookUp,
    obeysRoute: true,
    isOperator: true,
  });
}

/** What opens the proxy to its operator; `""` if nothing must be shown. */
async function readToken({ proxyToken, callerTokens, signingKey }: Config): Promise<string> {
  if (proxyToken || !callerTokens || !signingKey) return proxyToken;
  return await mintToken({ id: "explain", expires: Date.now() / 1_000 + TOKEN_SECONDS }, signingKey);
}

/** The parameter for what is asked about. */
function describe(what: string): string {
  const link = readLink(what);
  if (link) return `path=${encodeURIComponent(link.path)}`;
  if (what.startsWith("/")) return `path=${encodeURIComponent(what)}`;
  return decodeArg(what) ? `arg=${encodeURIComponent(what)}` : `url=${encodeURIComponent(what)}`;
}

/** Takes `--method` out of the flags; all others are settings. */
function takeMethod(flags: readonly string[]): { method: string | undefined; flags: string[] } {
  const index = flags.findIndex((flag) => flag === "--method" || flag.startsWith("--method="));
  if (index < 0) return { method: undefined, flags: [...flags] };
  const [, inline] = /^--method=(.*)$/s.exec(flags[index] ?? "") ?? [];
  const left = flags.toSpliced(index, inline === undefined ? 2 : 1);
  const method = inline ?? flags[index + 1];
  if (!method) throw new Error("Cannot explain: --method is empty, expected a method such as POST");
  return { method, flags: left };
}
