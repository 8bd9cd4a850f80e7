/**
 * The part of the table of settings that says which targets may be reached.
 * @module
 */

import { decodeNamedTargets, decodeSomeTargets, decodeTargetList } from "../address/lists.ts";
import type { Config, Setting } from "./setting.ts";
import { listOf, parsePrivateTargets } from "./list-values.ts";
import { parseBoolean } from "./values.ts";

type Name = "allowTargets" | "denyTargets" | "privateTargets" | "hosts" | "trustNames";

/** They stand together in the table. */
export const ACCESS_SETTINGS: { readonly [K in Name]: Setting<Config[K]> } = {
  allowTargets: {
    fallback: [],
    unit: "list",
    effect:
      "The only targets that may be reached: hosts, `*.suffix`, addresses, CIDRs, each with an optional port.",
    risk: "A host, address or CIDR in it is allowed when it is private, too.",
    expected: "a list such as api.example.com,*.example.org,10.0.0.0/8:8080",
    ...listOf(decodeSomeTargets),
  },
  denyTargets: {
    fallback: [],
    unit: "list",
    effect: "Targets that may not be reached, in the same form; it wins over `ALLOW_TARGETS`.",
    expected: "a list such as api.example.com,*.example.org,10.0.0.0/8:8080",
    ...listOf(decodeTargetList),
  },
  privateTargets: {
    fallback: "auto",
    unit: "true/false/auto,list",
    effect:
      "Allows loopback, private and other internal addresses; `auto`: while listener and Host are loopback, and to pages only by names that are private themselves or stand in the list.",
    risk:
      "`true` on a public proxy opens its network to everyone. Behind another proxy set `false`. A page may reach what the list names.",
    expected:
      "true, false, auto, or auto and a list such as auto,staging.example.com,*.corp.example,10.0.0.0/8",
    type: 'boolean | "true" | "false" | "auto" | `auto,${string}` | readonly string[]',
    ...listOf(parsePrivateTargets),
  },
  hosts: {
    fallback: [],
    unit: "list",
    effect:
      "Names of this proxy beside loopback, addresses and `PROXY_DOMAIN`: without a token only requests with such a Host reach private targets. Same form as `ALLOW_TARGETS`, without `*`.",
    risk: "Whoever can point a name in it at the proxy can send its visitors to private targets.",
    expected: "a list such as proxy.example.com,*.proxy.example.com",
    ...listOf(decodeNamedTargets),
  },
  trustNames: {
    fallback: false,
    unit: "true/false",
    effect: "Asks names whose addresses nobody can judge: in code, without a runtime that looks names up.",
    risk: "A name may lead to loopback, private networks and cloud metadata.",
    expected: "true or false",
    parse: parseBoolean,
  },
};
