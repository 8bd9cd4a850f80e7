/**
 * The start line, and the warnings before it.
 * @module
 */

import { listRefusedBases } from "./refused-bases.ts";
import { opensPrivate } from "../../core/may/private-targets.ts";
import { asksToken } from "../../core/may/token-duty.ts";
import { type Config, environmentName } from "../../core/settings/config.ts";
import { nearestOf } from "../../core/settings/nearest.ts";
import { SETTINGS } from "../../core/settings/settings.ts";
import type { TargetTable } from "../../parts/gate/targets/table.ts";
import { KEY_FILE_VARIABLE } from "./key-file.ts";
import type { Listener } from "./listener.ts";
import { count } from "./count.ts";
import { formatListener, formatNearAddress } from "./proxy-address.ts";
import { listExpired } from "./tls-files.ts";

/** A shorter signing key can be guessed from one link or token, without asking the proxy (RFC 2104 §3). */
const LEAST_KEY_LENGTH = 32;
/** A shorter token can be guessed by asking the proxy: 16 characters of hexadecimal are 64 bits (RFC 6749 §10.10). */
const LEAST_TOKEN_LENGTH = 16;
/** A variable with a shorter name is not compared: too many others are near it. */
const LEAST_NAME_LENGTH = 5;

/** What the start line says of a listener. */
type Listening = Pick<Listener, "port" | "isLocal">;

/** Formats the line: where the proxy listens, on what, and what callers may do. */
export function formatStartLine(
  runtime: string,
  config: Config,
  listener: Listening,
  table: TargetTable | undefined,
): string {
  const ways = describePrivate(config, listener) + describeUpstream(config);
  const facts = `(${runtime}, pid ${process.pid}, ${describeProcesses(config)}${ways})`;
  return `fetchvia listening on ${formatListener(config, listener.port)} ${facts}${
    describeConsole(config, listener)
  }${describeOpening(config, listener)}${describeTargets(table)}${describeCapture(config)}${
    describeTrust(process.env)
  }`;
}

/** Lists what is probably a mistake in the settings. */
export function listWarnings(
  config: Config,
  { isLocal }: Pick<Listener, "isLocal">,
  environment: NodeJS.ProcessEnv,
): string[] {
  return [
    ...listRefusedBases(config, isLocal),
    ...listMisspelt(environment),
    ...(config.gate === "report"
      ? [
        "GATE is report: what the table of targets and callers' tokens do not allow is sent without a key, and only recorded",
      ]
      : []),
    ...listExpired(config),
    ...warnOfShortKey(config.signingKey),
    ...warnOfShort("PROXY_TOKEN", config.proxyToken, LEAST_TOKEN_LENGTH, "can call the proxy"),
  ];
}

/** Tells that a signing key can be guessed; nothing of a good key, and of none. */
export function warnOfShortKey(key: string): string[] {
  return warnOfShort("SIGNING_KEY", key, LEAST_KEY_LENGTH, "has a link or token");
}

function warnOfShort(name: string, secret: string, least: number, who: string): string[] {
  if (secret === "" || secret.length >= least) return [];
  return [
    `${name} has fewer than ${least} characters: whoever ${who} can try to guess it. Make one with: openssl rand -hex 32`,
  ];
}

/** Lists variables whose names are within one letter of a setting that is not set. */
function listMisspelt(environment: NodeJS.ProcessEnv): string[] {
  const known = [...Object.keys(SETTINGS).map(environmentName), KEY_FILE_VARIABLE];
  const find = nearestOf(known);
  return Object.keys(environment).flatMap((name) => {
    if (!environment[name] || known.includes(name) || name.length < LEAST_NAME_LENGTH) return [];
    const near = /^\w+$/.test(name) ? find(name, 1) : undefined;
    if (near === undefined || environment[near]) return [];
    return [`the variable ${name} has no effect. Did you mean ${near}?`];
  });
}

/** The console as a browser on this machine reaches it. */
function describeConsole(config: Config, { port }: Listening): string {
  return config.console
    ? `, console at ${formatNearAddress(config, port)}${config.mountPath}/__proxy__/`
    : "";
}

/**
 * If other machines can reach the proxy, the start line says whether they need a token, and warns if they can reach
 * private targets without one.
 */
function describeOpening(config: Config, { isLocal }: Listening): string {
  if (isLocal) return "";
  if (asksToken(config)) return ", token required";
  const warning = opensPrivate(config)
    ? ": WARNING, other machines can reach private targets without a token"
    : "";
  return `, no token required${warning}`;
}

/** The start line counts the table's targets and keys, and warns of targets whose certificates are not checked. */
function describeTargets(table: TargetTable | undefined): string {
  if (!table) return "";
  const warning = table.unchecked > 0
    ? `: WARNING, certificates of ${table.unchecked} of them are not checked`
    : "";
  const targets = count(table.entries.length, "target");
  return `, ${targets} in the table, ${count(table.keys.size, "key")}${warning}`;
}

/** The start line says which parts of requests are kept in memory. */
function describeCapture({ capture }: Config): string {
  if (capture === "off" || capture === "console") return "";
  const bodies = capture === "heads" ? "" : ` and up to ${capture} bytes of each body`;
  return `, capture on: headers${bodies} are kept in memory`;
}

/** The start line warns if the environment turns off the check of targets' certificates, as each runtime reads it. */
function describeTrust({ NODE_TLS_REJECT_UNAUTHORIZED }: NodeJS.ProcessEnv): string {
  const isOff = NODE_TLS_REJECT_UNAUTHORIZED === "0";
  return isOff ? ": WARNING, certificates of targets are not checked (NODE_TLS_REJECT_UNAUTHORIZED=0)" : "";
}

function describePrivate({ privateTargets }: Config, { isLocal }: Listening): string {
  const isAllowed = typeof privateTargets === "boolean" ? privateTargets : isLocal;
  return `private targets ${isAllowed ? "allowed" : "refused"}`;
}

/** Names the upstream proxy, without its credentials, and says if it gets target names whose addresses are not checked. */
function describeUpstream({ upstreamProxy, upstreamDns }: Config): string {
  if (!upstreamProxy) return "";
  const routes = [upstreamProxy.https, upstreamProxy.http];
  const hosts = new Set(routes.flatMap((route) => route?.upstream?.host ?? []));
  if (hosts.size === 0) return ", no upstream proxy in the environment";
  const names = upstreamDns === "remote" ? ", which looks names up: their addresses are not checked" : "";
  return `, upstream proxy ${[...hosts].join(" and ")}${names}`;
}

function describeProcesses({ workers }: Config): string {
  return workers > 1 ? `${workers} workers, ` : "";
}
