/**
 * The settings that decide which targets may be reached.
 * @module
 */

import { decodeNamedTargets, decodeSomeTargets, decodeTargetList } from "../address/target-lists.ts";
import type { Config, Setting } from "./setting.ts";
import { listOf, parsePrivateTargets } from "./list-values.ts";
import { parseBoolean } from "./values.ts";

type Name = "allowTargets" | "denyTargets" | "privateTargets" | "hosts" | "trustNames";

/** These settings, in the order of the table. */
export const ACCESS_SETTINGS: { readonly [K in Name]: Setting<Config[K]> } = {
  allowTargets: {
    fallback: [],
    unit: "list",
    effect:
      "The only targets that may be reached: hosts, `*.suffix`, IP addresses or CIDRs, each with an optional port.",
    risk: "A listed host, IP address or CIDR is allowed even if it is private.",
    expected: "a list such as api.example.com,*.example.org,10.0.0.0/8:8080",
    ...listOf(decodeSomeTargets),
  },
  denyTargets: {
    fallback: [],
    unit: "list",
    effect: "Targets that may not be reached, in the same form. It wins over `ALLOW_TARGETS`.",
    expected: "a list such as api.example.com,*.example.org,10.0.0.0/8:8080",
    ...listOf(decodeTargetList),
  },
  privateTargets: {
    fallback: "auto",
    unit: "true/false/auto,list",
    effect:
      "Whether loopback, private and other internal addresses may be reached. `auto` allows them while the proxy listens on loopback and the Host is a loopback name. In `auto`, pages reach them only by private names, or by names in the list.",
    risk:
      "`true` on a public proxy opens its network to everyone. Behind another proxy, set `false`. Pages may reach what the list names.",
    expected:
      "true, false, auto, or auto and a list such as auto,staging.example.com,*.corp.example,10.0.0.0/8",
    type: 'boolean | "true" | "false" | "auto" | `auto,${string}` | readonly string[]',
    ...listOf(parsePrivateTargets),
  },
  hosts: {
    fallback: [],
    unit: "list",
    effect:
      "Further host names of this proxy, beside loopback names, IP addresses and `PROXY_DOMAIN`. Without a token, only requests to a known name reach private targets. Same form as `ALLOW_TARGETS`, without `*`.",
    risk: "Whoever controls the DNS of a listed name can send its visitors to private targets.",
    expected: "a list such as proxy.example.com,*.proxy.example.com",
    ...listOf(decodeNamedTargets),
  },
  trustNames: {
    fallback: false,
    unit: "true/false",
    effect:
      "Allows host names whose addresses cannot be checked. Only for `createProxy` without a runtime that looks names up.",
    risk: "A name may resolve to loopback, private networks or cloud metadata.",
    expected: "true or false",
    parse: parseBoolean,
  },
};
