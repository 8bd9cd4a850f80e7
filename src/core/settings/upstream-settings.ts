/**
 * The settings for reaching targets through another proxy.
 * @module
 */

import { decodeRoutes, type Routes } from "../address/route.ts";
import { decodeTargetList } from "../address/target-lists.ts";
import { listOf } from "./list-values.ts";
import type { Config, Setting } from "./setting.ts";
import { oneOf } from "./values.ts";

type Name = "upstreamProxy" | "noUpstream" | "upstreamDns";

/** Stands for `env` until the environment is read. */
export const BY_ENVIRONMENT: Routes = { http: undefined, https: undefined };

/** These settings, in the order of the table. */
export const UPSTREAM_SETTINGS: { readonly [K in Name]: Setting<Config[K]> } = {
  upstreamProxy: {
    group: "targets",
    fallback: undefined,
    unit: "address/env",
    expected:
      "an address such as http://user:password@proxy.example.com:3128 (http, https or socks5), or env",
    isSecret: true,
    isTelling: (text) => text.includes("@"),
    parse: (text) => text === "env" ? BY_ENVIRONMENT : decodeRoutes(text),
  },
  noUpstream: {
    group: "targets",
    fallback: [],
    unit: "list",
    expected: "a list such as api.example.com,*.example.org,203.0.113.0/24:8080",
    ...listOf(decodeTargetList),
  },
  upstreamDns: { group: "targets", fallback: "local", ...oneOf("local", "remote") },
};
