/**
 * Reads which request `/__proxy__/explain` is asked about, and which target that request would name.
 * @module
 */

import { decodePercent } from "../../core/http/text.ts";
import { formatAddress, readRequestPath, type Selector } from "../../core/address/address.ts";
import { readLabel } from "../../core/address/authority.ts";
import {
  hasAddress,
  isAt,
  isFetch,
  isPage,
  isPageAt,
  isReserved,
  RESERVED,
  stripMount,
} from "../../core/address/reserved-paths.ts";
import { readAddressParameter, readParameter, readQuery } from "../../core/address/query.ts";
import { readPath } from "../../core/exchange/hooks.ts";
import type { Exchange, Target } from "../../core/exchange/exchange.ts";
import { withIncoming } from "../../core/exchange/plan.ts";
import { isBase } from "../../core/who/host-selectors.ts";
import { Fields } from "../../core/http/fields.ts";
import { readCookie } from "../../core/http/cookies.ts";
import { checkMethod, ProxyError } from "../../core/http/error.ts";
import { isToken } from "../../core/http/headers.ts";
import { checkToken } from "../../core/door/check-token.ts";
import { answerPreflight } from "../../core/door/cors.ts";
import { asksProxy, refuseMethod } from "../../core/door/request-line.ts";
import { needsToken } from "../../core/may/token-duty.ts";
import { FETCH_METHODS } from "../../core/pages/fetch.ts";
import { selectTarget } from "../../core/steps/target.ts";
import { checkUpgrade } from "../../core/way/handshake.ts";
import { parseArgument, parseBase64 } from "../../core/pages/argument/argument.ts";
import {
  describeRequest,
  readArgTarget,
  readAtTarget,
  readUrlTarget,
} from "../../core/pages/named-target.ts";

/** A selector that the request has. */
export interface Named {
  selector: Selector;
  /** The selector's value as sent, without credentials; for an `arg`, its address. */
  value: string;
  /** The target that this selector names. */
  target?: string;
  /** Why it names no target. */
  fault?: string;
}

/** What the parameters ask for. */
export interface Wanted {
  readonly kind: "url" | "arg" | "path";
  /** As sent. */
  readonly value: string | null;
  readonly method: string;
  /** True for a WebSocket's handshake. */
  readonly isSocket: boolean;
  /** True if names are to be looked up. */
  readonly looksUp: boolean;
}

/** A request, and the target that it names. */
export interface Question {
  readonly asked: Exchange;
  readonly selectors: readonly Named[];
  /** `undefined` if the proxy answers by itself; an error if the choice is refused. */
  readonly target: Target | ProxyError | undefined;
}

/** Credentials in an address, however it is written. */
const USER_INFO = /^([a-z]+:[\\/]{0,3}|[\\/]{2})[^/?#]*@/i;
/** Fields of the body that the question has, which is none of the request. */
const FRAMING = /^(?:content-length|transfer-encoding)$/i;

/**
 * Reads the parameters.
 *
 * @throws {ProxyError} `bad_request` naming the parameter and what was expected
 */
export function readWanted({ path }: Exchange): Wanted {
  const query = readQuery(path);
  const values = {
    url: readAddressParameter(query),
    arg: readParameter(query, "arg"),
    path: readParameter(query, "path"),
  };
  const [named, ...others] = (["url", "arg", "path"] as const).filter((name) => values[name] !== undefined);
  if (named === undefined || others.length > 0) refuse("its query", "exactly one of url, arg and path");
  const [looksUp, isSocket] = [readSwitch(query, "dns"), readSwitch(query, "socket")];
  const written = readParameter(query, "method");
  const method = decodePercent(written ?? "GET") ?? "";
  if (!isToken(method) || (named === "arg" && written !== undefined)) {
    refuse("method", "a method such as POST, beside url or path only");
  }
  if (isSocket && (named === "arg" || method !== "GET")) {
    refuse("socket", "true beside url or path only, with the method GET or none");
  }
  return { kind: named, value: values[named] ?? null, method, looksUp, isSocket };
}

function readSwitch(query: string, name: string): boolean {
  const value = readParameter(query, name) ?? "false";
  if (value !== "true" && value !== "false") refuse(name, "true or false");
  return value === "true";
}

/** Makes the request that is asked about. Its headers and its caller are those of the request to `/__proxy__/explain`. */
export async function readQuestion(exchange: Exchange, wanted: Wanted): Promise<Question> {
  const question = await readTarget(exchange, wanted);
  const { asked, target } = question;
  let isAnswered = false;
  const refusal = attempt(() => {
    if (wanted.kind !== "arg") refuseMethod(wanted.method);
    // The door answers a preflight before it asks for anything else.
    isAnswered = answerPreflight(asked, asked.plan.grant) !== undefined ||
      (asksProxy(asked.incoming, asked.path) && !(target instanceof ProxyError));
    if (isAnswered) return undefined;
    const hasTarget = target !== undefined && (target instanceof ProxyError || target.selector !== "arg");
    if (!hasTarget && !isPageAt(asked.path, "socket")) checkUpgrade(asked, false);
    return undefined;
  });
  return refusal || isAnswered ? { ...question, target: refusal } : question;
}

async function readTarget(exchange: Exchange, wanted: Wanted): Promise<Question> {
  const { kind, value, method, isSocket } = wanted;
  const { url, headers: shown, signal } = exchange.incoming;
  const own = [...shown].filter(([name]) => !FRAMING.test(name));
  const headers = new Fields(isSocket ? [...own, ["connection", "upgrade"], ["upgrade", "websocket"]] : own);
  const asked = withIncoming(exchange, { url, headers, signal, method, body: null });
  if (kind === "arg") return await ofArg(asked, value ?? "");
  if (kind === "path") return await ofPath(asked, value ?? "");
  const token = readParameter(readQuery(exchange.path), "token");
  const link = token === undefined ? "?url=" : `?token=${token}&url=`;
  return await showToken({ ...asked, path: `${RESERVED}/${link}` }, (shown) => ofUrl(shown, value));
}

/** Checks the token as the request that is asked about would show it: the page itself takes one in `Authorization`, other paths do not. */
async function showToken(asked: Exchange, read: (shown: Exchange) => Question): Promise<Question> {
  if (!needsToken(asked) || isPage(asked.path)) return read(asked);
  try {
    const shown = await checkToken(asked, isReserved(asked.path) && !isAt(asked.path));
    return read({ ...asked, token: typeof shown === "string" ? undefined : shown });
  } catch (error) {
    return { asked, selectors: read(asked).selectors, target: asRefusal(error) };
  }
}

async function ofPath(exchange: Exchange, value: string): Promise<Question> {
  const decoded = decodePercent(value);
  if (!decoded?.startsWith("/")) refuse("path", "a path such as /v1/items?page=2, percent-encoded");
  const { carried, config, parts } = exchange;
  const sent = readRequestPath(decoded);
  const asked: Exchange = {
    ...exchange,
    ...readPath(stripMount(sent, config.mountPath) ?? sent, carried, config, parts),
  };
  const arg = isFetch(asked.path) ? readParameter(readQuery(asked.path), "arg") : undefined;
  return arg === undefined ? await showToken(asked, ofOwnPath) : await ofArg(asked, arg);
}

function ofOwnPath(asked: Exchange): Question {
  if (isAt(asked.path)) {
    const target = attempt(() => readAtTarget(asked));
    return { asked, selectors: [describe("at", asked.path, target)], target };
  }
  if (hasAddress(asked.path)) return ofUrl(asked, readAddressParameter(readQuery(asked.path)) ?? null);
  if (isReserved(asked.path)) return { asked, selectors: [], target: undefined };
  return { asked, selectors: listCarried(asked), target: attempt(() => selectTarget(asked, asked.path)) };
}

function ofUrl(asked: Exchange, text: string | null): Question {
  const target = attempt(() => readUrlTarget(asked, text));
  return { asked, selectors: [describe("url", text ?? "", target)], target };
}

async function ofArg(exchange: Exchange, text: string): Promise<Question> {
  try {
    checkMethod(exchange.incoming.method, ...FETCH_METHODS);
    const argument = await parseArgument(parseBase64(text));
    const asked = describeRequest(exchange, argument);
    const target = readArgTarget(exchange, argument, false);
    return { asked, selectors: [describe("arg", formatAddress(target), target)], target };
  } catch (error) {
    const target = asRefusal(error);
    return { asked: exchange, selectors: [describe("arg", "", target)], target };
  }
}

/** The host selectors and the default target, in the order in which they count. */
function listCarried({ incoming: { headers }, caller, carried, config }: Exchange): Named[] {
  const { header, cookie, label } = carried;
  const [shown = ""] = readCookie(headers.get("cookie"), "proxy_host");
  const { target } = config;
  const all = [
    header && describe("header", headers.get("proxy_host") ?? headers.get("proxy-host") ?? "", header),
    cookie && describe("cookie", shown, cookie),
    label && describe("label", readLabel(caller.host, config.proxyDomain) ?? "", label),
    target && describe("preset", formatAddress(target), target),
  ];
  return all.filter((named) => named !== undefined);
}

function describe(
  selector: Selector,
  value: string,
  named: Pick<Target, "origin" | "path"> | ProxyError | undefined,
): Named {
  const shown = { selector, value: value.replace(USER_INFO, "$1") };
  if (isBase(named)) return { ...shown, target: formatAddress(named) };
  return { ...shown, ...(named instanceof ProxyError && { fault: named.message }) };
}

function attempt(choose: () => Target | undefined): Target | ProxyError | undefined {
  try {
    return choose();
  } catch (error) {
    return asRefusal(error);
  }
}

/** A refusal; anything else is thrown again. */
function asRefusal(error: unknown): ProxyError {
  if (error instanceof ProxyError) return error;
  throw error;
}

function refuse(name: string, expected: string): never {
  throw new ProxyError("bad_request", `Cannot explain this: ${name} is not usable, expected ${expected}`);
}
