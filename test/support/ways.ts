/**
 * The six ways to name a target, as one call each.
 * @module
 */
import { encodeLabel } from "../../src/core/address/label.ts";
import { argOf } from "./arg.ts";
import type { Answer, CallOptions } from "./client.ts";
import { type Fields, type Header, pairsOf } from "./http.ts";
import type { Shared } from "./pool.ts";

/** The way in which a caller names the target. */
export type Selector = "header" | "cookie" | "label" | "url" | "at" | "arg";

export interface AskOptions extends CallOptions {
  /** The base path of the target for the header and the cookie; `""` unless given. */
  base?: string;
  /** Of an `arg`. */
  redirect?: "follow" | "manual";
}

type Way = (
  proxy: Shared,
  origin: string,
  method: string,
  path: string,
  options: AskOptions,
) => Promise<Answer>;

const WAYS: Record<Selector, Way> = {
  header: (proxy, origin, method, path, options) =>
    proxy.call(`${method} ${path}`, {
      ...options,
      fields: [["proxy_host", origin + (options.base ?? "")], ...pairsOf(options.fields ?? {})],
    }),
  cookie: (proxy, origin, method, path, options) =>
    proxy.call(`${method} ${path}`, {
      ...options,
      fields: withCookie(`proxy_host=${origin}${options.base ?? ""}`, options.fields ?? {}),
    }),
  label: (proxy, origin, method, path, options) =>
    proxy.call(`${method} ${path}`, {
      ...options,
      fields: [["Host", `${labelOf(origin)}.w.localhost:${proxy.port}`], ...pairsOf(options.fields ?? {})],
    }),
  url: (proxy, origin, method, path, options) =>
    proxy.call(`${method} /__proxy__/?url=${encodeURIComponent(origin + path)}`, options),
  at: (proxy, origin, method, path, options) => proxy.call(`${method} ${placeOf(origin)}${path}`, options),
  arg: (proxy, origin, method, path, { fields, body, redirect, ...options }) => {
    const headers = Object.fromEntries(pairsOf(fields ?? {}));
    const argument = { url: origin + path, method, headers, body: body?.toString(), redirect };
    return proxy.call(`GET /__proxy__/fetch?arg=${argOf(argument)}`, options);
  },
};

/**
 * Asks a target in one of the ways; `line` is method and path on the target. The fields go out as the caller's own,
 * for `arg` as its `headers`.
 */
export function ask(
  proxy: Shared,
  selector: Selector,
  origin: string,
  line = "GET /p",
  options: AskOptions = {},
): Promise<Answer> {
  const [method = "GET", path = "/"] = line.split(" ");
  return WAYS[selector](proxy, origin, method, path, options);
}

/** Rows of these ways. */
export function selectors<Name extends Selector>(...names: Name[]): { selector: Name }[] {
  return names.map((selector) => ({ selector }));
}

/** The host label of an origin on an IPv4 address. */
export function labelOf(origin: string): string {
  return origin.replace(/^http:\/\//, "").replaceAll(/[.:]/g, "-");
}

/** Where a target stands on the proxy, by `at`. */
export function placeOf(origin: string): string {
  return `/__proxy__/at/${encodeLabel(origin)}`;
}

/** The origin under which a caller sees the proxy when it names a target in this way. */
export function proxyOriginOf(proxy: Shared, selector: Selector, origin: string): string {
  return selector === "label" ? `http://${labelOf(origin)}.w.localhost:${proxy.port}` : proxy.origin;
}

function withCookie(pair: string, fields: Fields): Header[] {
  const isCookie = ([name]: Header) => name.toLowerCase() === "cookie";
  const pairs = pairsOf(fields);
  const given = pairs.filter(isCookie).map(([, value]) => value);
  return [["Cookie", [pair, ...given].join("; ")], ...pairs.filter((field) => !isCookie(field))];
}
