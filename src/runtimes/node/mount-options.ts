/**
 * Reads the options of a proxy that is mounted in a development server: those of `createProxy`, and `prefix`.
 * @module
 */

import { portOf } from "../../core/address/address.ts";
import { decodeTargetList } from "../../core/address/target-lists.ts";
import { parseMountPath, stripMount } from "../../core/address/reserved-paths.ts";
import { type Config, ConfigError, type Options, readOptions } from "../../core/settings/config.ts";
import { describeValue, isRecord } from "../../core/settings/option-values.ts";

/** Options of `fetchvia/vite` and `fetchvia/connect`: those of `createProxy`, and the paths to forward. */
export interface MountOptions extends Options {
  /**
   * The only other targets beside `target` and `proxyLabels`: hosts, `*.suffix`, IP addresses or CIDRs, each with an
   * optional port. With a list, what all these name is allowed even if it is private; `["*"]` allows all public targets
   * too.
   *
   * @default undefined: all targets; private ones only while the server listens on loopback
   * @example
   * ```ts
   * fetchvia({ prefix: "/api", target: "http://localhost:3000", allowTargets: ["*"] });
   * ```
   */
  readonly allowTargets?: Options["allowTargets"];
  /**
   * The path to forward, with all paths below it: `/api` stands for `/api`, `/api?x` and `/api/users`, not for `/apis`.
   * A list names several. The path reaches the target whole, with the prefix. To remove it, set `mountPath` instead:
   * then it is the default here.
   *
   * Unit: path or paths. Expected: a path such as /api, or a list of paths.
   *
   * @default mountPath; without it, only `/__proxy__/` is answered
   * @example
   * ```ts
   * fetchvia({ prefix: ["/api", "/auth"], target: "http://localhost:3000" });
   * ```
   */
  readonly prefix?: string | readonly string[] | undefined;
}

/** Options that have been read. */
export interface MountConfig {
  readonly config: Config;
  /** The paths to forward, and the proxy's own path: no slash at the end. */
  readonly paths: readonly string[];
  /** The paths in the option `prefix`. */
  readonly prefixes: readonly string[];
}

/**
 * Reads the options.
 *
 * @throws {ConfigError} if an option is unknown, or its value can't be used
 */
export function readMountOptions(options: MountOptions): MountConfig {
  try {
    return parseOptions(options);
  } catch (error) {
    // Development servers print plugin errors without the plugin's name, and have options of the same names themselves.
    throw error instanceof ConfigError ? new ConfigError(`fetchvia: ${error.message}`) : error;
  }
}

/** What does here what options of other proxies in development servers do. */
const INSTEAD: Readonly<Record<string, string>> = {
  changeOrigin: "leave it out, Host is always the target's",
  ws: "leave it out, WebSockets are always joined",
  rewrite: "set mountPath in place of prefix, which the target does not see",
  pathRewrite: "set mountPath in place of prefix, which the target does not see",
  context: "write prefix",
  pathFilter: "write prefix",
  secure: 'write targets: { "<host>": { insecure: true } }',
};

function parseOptions(options: MountOptions): MountConfig {
  // For anything but a plain object, `readOptions` throws an exact error.
  if (!isRecord(options)) readOptions(options);
  const path = Object.keys(options).find((name) => name.startsWith("/"));
  if (path !== undefined) {
    throw new ConfigError(
      `Cannot use option ${path}: it is a path, write { prefix: ${JSON.stringify(path)}, target: "…" }`,
    );
  }
  const habit = Object.keys(options).find((name) => Object.hasOwn(INSTEAD, name));
  if (habit) throw new ConfigError(`Cannot use option ${habit}: ${INSTEAD[habit]}`);
  const { prefix, ...rest } = options;
  const config = readOptions(rest, ["prefix"]);
  const { mountPath } = config;
  const prefixes = prefix === undefined ? [] : readPrefixes(prefix, mountPath);
  const forwarded = prefix === undefined ? [mountPath].filter(Boolean) : prefixes;
  if (config.target && forwarded.length === 0) {
    throw new ConfigError("Cannot use option target: prefix is not set, expected a path such as /api");
  }
  return { config: allowNamed(config), paths: [...forwarded, `${mountPath}/__proxy__`], prefixes };
}

/** Adds the hosts of `target` and `proxyLabels` to `allowTargets`, if that has a list, so that they stay allowed. */
function allowNamed(config: Config): Config {
  const { allowTargets, proxyLabels, target } = config;
  if (allowTargets.length === 0) return config;
  const bases = [...proxyLabels.values(), ...(target ? [target] : [])];
  const named = decodeTargetList(bases.map(({ origin }) => `${origin.hostname}:${portOf(origin)}`));
  return { ...config, allowTargets: [...allowTargets, ...named ?? []] };
}

/** True if a path, which may have a query, equals one of these paths or is below one. */
export function isBelow(paths: readonly string[], path: string): boolean {
  return paths.some((mount) => stripMount(path, mount) !== undefined);
}

function readPrefixes(prefix: unknown, mountPath: string): string[] {
  const texts = Array.isArray(prefix) ? [...prefix] : [prefix];
  return texts.map((text: unknown) => {
    const path = typeof text === "string" ? parseMountPath(text.trim()) : undefined;
    if (path && stripMount(path, mountPath) !== undefined) return path;
    const expected = path ? `a path below mountPath ${mountPath}` : "a path such as /api, or a list of paths";
    throw new ConfigError(`prefix is ${describeValue(text)}, expected ${expected}`);
  });
}
