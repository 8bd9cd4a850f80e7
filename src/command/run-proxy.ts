/**
 * Runs the proxy until it is stopped.
 * @module
 */

import { type Config, readConfig } from "../core/settings/config.ts";
import type { TargetTable } from "../parts/gate/targets/table.ts";
import { count } from "./count.ts";
import { explain } from "./start-error.ts";
import { listRefusedBases } from "../core/may/refused-bases.ts";
import { asksToken, opensPrivate } from "../core/may/rights.ts";
import { endWith, stopWhenDrained } from "../runtimes/process/drain.ts";
import type { Listen, Listener } from "../runtimes/process/listener.ts";
import { readKeyFile } from "../runtimes/process/key-file.ts";
import { loadTable } from "../runtimes/process/targets-file.ts";
import { writeError } from "../runtimes/process/write-log.ts";
import { watchHangup } from "../runtimes/process/reread.ts";
import { readFlags } from "./flags.ts";
import { FLAGS_VARIABLE, serveAsSecondary } from "./processes/secondary.ts";

/**
 * Starts the proxy, and stops it at a signal.
 *
 * @param runtime name and version of the runtime, for the start line
 */
export async function serve(runtime: string, listen: Listen, args: readonly string[]): Promise<void> {
  let config: Config | undefined;
  try {
    config = readConfig(readKeyFile(process.env), readFlags(args));
    if (process.env[FLAGS_VARIABLE]) return await serveAsSecondary(config, listen);
    const table = config.targets === undefined ? undefined : loadTable(config.targets);
    const listening = config.workers > 1 ? listenInMany(config) : listen(config);
    // The proxy may already serve callers while it starts, so a signal must drain it then too.
    let stopped: Promise<void> | undefined;
    const stop = () => void (stopped ??= stopWhenDrained(listening));
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      // A terminal and a service manager signal the whole group, and npm forwards its own signal, so repeated signals
      // are ignored.
      process.on(signal, stop);
    }
    watchHangup(listening, stop);
    const listener = await listening;
    for (const line of listRefusedBases(config, listener.isLocal)) writeError(`fetchvia: WARNING, ${line}`);
    const ways = describePrivate(config, listener) + describeUpstream(config);
    const facts = `(${runtime}, ${describeProcesses(config)}${ways})${describeOpening(config, listener)}${
      describeTargets(table)
    }${describeCapture(config)}${describeTrust(process.env)}`;
    writeError(`fetchvia listening on ${address(config, listener.port)} ${facts}`);
  } catch (error) {
    await endWith(`fetchvia cannot start: ${explain(error, config)}`);
  }
}

async function listenInMany(config: Config): Promise<Listener> {
  return await (await import("./processes/primary.ts")).startProcesses(config);
}

/**
 * If other machines can reach the proxy, the start line says whether they need a token, and warns if they can reach
 * private targets without one.
 */
function describeOpening(config: Config, { isLocal }: Listener): string {
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
  if (capture === "off") return "";
  const bodies = capture === "heads" ? "" : ` and up to ${capture} bytes of each body`;
  return `, capture on: heads${bodies} are kept in memory`;
}

/** The start line warns if the environment turns off the check of targets' certificates, as each runtime reads it. */
function describeTrust({ NODE_TLS_REJECT_UNAUTHORIZED }: NodeJS.ProcessEnv): string {
  const isOff = NODE_TLS_REJECT_UNAUTHORIZED === "0";
  return isOff ? ": WARNING, certificates of targets are not checked (NODE_TLS_REJECT_UNAUTHORIZED=0)" : "";
}

function describePrivate({ privateTargets }: Config, { isLocal }: Listener): string {
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

function address({ host, tlsCert }: Config, port: number): string {
  return `${tlsCert ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
