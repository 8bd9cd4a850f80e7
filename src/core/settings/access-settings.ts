/**
 * The settings that decide which targets may be reached.
 * @module
 */

import { decodeNamedTargets, decodeSomeTargets, decodeTargetList } from "../address/target-lists.ts";
import type { Config, Setting } from "./setting.ts";
import { listOf, parsePrivateTargets } from "./list-values.ts";
import { SWITCH } from "./values.ts";

type Name = "allowTargets" | "denyTargets" | "privateTargets" | "hosts" | "trustNames";

/** These settings, in the order of the table. */
export const ACCESS_SETTINGS: { readonly [K in Name]: Setting<Config[K]> } = {
  allowTargets: {
    group: "access",
    fallback: [],
    unit: "list",
    expected: "a list such as api.example.com,*.example.org,10.0.0.0/8:8080",
    ...listOf(decodeSomeTargets),
  },
  denyTargets: {
    group: "access",
    fallback: [],
    unit: "list",
    expected: "a list such as api.example.com,*.example.org,10.0.0.0/8:8080",
    ...listOf(decodeTargetList),
  },
  privateTargets: {
    group: "access",
    fallback: "auto",
    unit: "true/false/auto,list",
    expected:
      "true, false, auto, or auto and a list such as auto,staging.example.com,*.corp.example,10.0.0.0/8",
    type: 'boolean | "true" | "false" | "auto" | `auto,${string}` | readonly string[]',
    ...listOf(parsePrivateTargets),
  },
  hosts: {
    group: "access",
    fallback: [],
    unit: "list",
    expected: "a list such as proxy.example.com,*.proxy.example.com",
    ...listOf(decodeNamedTargets),
  },
  trustNames: { group: "access", fallback: false, ...SWITCH },
};
