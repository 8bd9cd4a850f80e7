/**
 * `UPSTREAM_PROXY=env`: reads the variables that other programs take their proxies from.
 * @module
 */

import type { Route, Routes } from "../address/route.ts";
import { decodeTargetList, type TargetList } from "../address/target-lists.ts";
import { decodeUpstreamProxy } from "../address/upstream-proxy.ts";

/** The environment, by name. */
type Environment = Readonly<Record<string, unknown>>;

/** Throws for a variable that can't be used; `expected` ends the message. */
type Refuse = (variable: string, expected: string) => never;

/**
 * Reads `HTTPS_PROXY` for `https` targets, `HTTP_PROXY` for `http` ones, and `NO_PROXY`. As in curl, the lower-case names
 * come first, and an address without a scheme means `http`.
 *
 * @returns the routes, and the targets that are reached directly, beside those of a scheme without a proxy
 */
export function readEnvironmentProxies(
  environment: Environment,
  refuse: Refuse,
): { routes: Routes; direct: TargetList } {
  const https = readRoute(environment, "HTTPS_PROXY", refuse);
  const http = readRoute(environment, "HTTP_PROXY", refuse);
  const { variable, text } = find(environment, "NO_PROXY");
  const direct = decodeTargetList(text.split(/[\s,]+/).filter(Boolean).flatMap(toEntries)) ??
    refuse(variable, "a list such as example.com,.example.org,10.0.0.0/8");
  return { routes: { http, https }, direct };
}

function readRoute(environment: Environment, name: string, refuse: Refuse): Route | undefined {
  const { variable, text } = find(environment, name);
  if (!text) return undefined;
  const upstream = decodeUpstreamProxy(text.includes("://") ? text : `http://${text}`) ??
    refuse(variable, "an address such as http://proxy.example.com:3128 (http, https or socks5)");
  return { upstream };
}

function find(environment: Environment, name: string): { variable: string; text: string } {
  const variable = [name.toLowerCase(), name].find((written) => environment[written]) ?? name;
  const value = environment[variable];
  return { variable, text: typeof value === "string" ? value.trim() : "" };
}

/** A name in `NO_PROXY` covers all names below it too; with a dot in front, it covers only those. */
function toEntries(entry: string): string[] {
  if (entry.startsWith(".")) return [`*${entry}`];
  const isName = decodeTargetList([entry])?.[0]?.kind === "name";
  return isName ? [entry, `*.${entry}`] : [entry];
}
