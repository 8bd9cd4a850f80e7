/**
 * `UPSTREAM_PROXY=env`: reads the variables that other programs take their proxies from.
 * @module
 */

import type { Route, Routes } from "../address/route.ts";
import { decodeTargetList, type TargetList } from "../address/target-lists.ts";
import { decodeUpstreamProxy } from "../address/upstream-proxy.ts";

/** What the variables say. If a scheme has no proxy, its targets are reached directly. */
export interface EnvironmentProxies {
  routes: Routes;
  direct: TargetList;
}

/** The environment, by name. */
type Environment = Readonly<Record<string, unknown>>;

/** A variable that can't be used; `expected` ends the message. */
export interface BadVariable {
  variable: string;
  expected: string;
}

/**
 * Reads `HTTPS_PROXY` for `https` targets, `HTTP_PROXY` for `http` ones, and `NO_PROXY`. As in curl, the lower-case names
 * come first, and an address without a scheme means `http`.
 */
export function readEnvironmentProxies(environment: Environment): EnvironmentProxies | BadVariable {
  const https = readRoute(environment, "HTTPS_PROXY");
  if (https && "variable" in https) return https;
  const http = readRoute(environment, "HTTP_PROXY");
  if (http && "variable" in http) return http;
  const { variable, text } = find(environment, "NO_PROXY");
  const direct = decodeTargetList(text.split(/[\s,]+/).filter(Boolean).flatMap(toEntries));
  if (direct) return { routes: { http, https }, direct };
  return { variable, expected: "a list such as example.com,.example.org,10.0.0.0/8" };
}

function readRoute(environment: Environment, name: string): Route | BadVariable | undefined {
  const { variable, text } = find(environment, name);
  if (!text) return undefined;
  const upstream = decodeUpstreamProxy(text.includes("://") ? text : `http://${text}`);
  if (upstream) return { upstream };
  return { variable, expected: "an address such as http://proxy.example.com:3128 (http, https or socks5)" };
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
