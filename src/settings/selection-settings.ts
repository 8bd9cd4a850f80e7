/**
 * The settings by which callers name targets, and what is said of each target.
 * @module
 */

import { decodeBase } from "../address/address.ts";
import { findBaseFault } from "../address/fault.ts";
import { parseMountPath } from "../address/mount.ts";
import { findLabelsFault, listOf, parseForms, parseLabels, recordOf } from "./list-values.ts";
import type { Config, Setting } from "./setting.ts";
import { parseDomain } from "./values.ts";

type Name = "proxyDomain" | "mountPath" | "proxyLabels" | "target" | "addressForms" | "targets";

/** These settings, in the order of the table. */
export const SELECTION_SETTINGS: { readonly [K in Name]: Setting<Config[K]> } = {
  proxyDomain: {
    fallback: "localhost",
    unit: "domain",
    effect: "Domain of host labels: a Host of `<label>.w.<domain>` names a target.",
    expected: "a domain name such as proxy.example.com",
    parse: parseDomain,
  },
  mountPath: {
    fallback: "",
    unit: "path",
    effect: "Path of the proxy in a server that also serves other paths, such as `/proxy`.",
    risk: "Your own pages share their origin and cookies with the targets.",
    expected: "a path such as /proxy",
    parse: parseMountPath,
  },
  proxyLabels: {
    fallback: new Map(),
    unit: "label=base,…",
    effect: "Your own labels. They win over labels that spell a host.",
    expected: "a list such as api=https://api.example.com,docs=https://docs.example.com/v1",
    ...recordOf(parseLabels),
    findFault: findLabelsFault,
  },
  target: {
    fallback: undefined,
    unit: "base",
    effect: "Default target for requests that name none.",
    expected: "a base address such as https://example.com",
    parse: decodeBase,
    findFault: findBaseFault,
  },
  addressForms: {
    fallback: [],
    unit: "list",
    effect:
      "Reads addresses as other proxies take them: `cors-anywhere` (`/https://…`), `corsproxy` (`/?url=…`, `/?https://…`), `scalar` (`/?scalar_url=…`) and `git` (git requests to `/github.com/…`). They mean the same as `/__proxy__/?url=…`, and count only where nothing else names a target.",
    expected: "a list of cors-anywhere, corsproxy, scalar and git, such as cors-anywhere,git",
    ...listOf(parseForms),
  },
  targets: {
    fallback: undefined,
    unit: "file",
    effect:
      "Table of targets: fields to set, keys, methods, paths, limits and certificates of each. A JSON file, which is read again when it changes, or the JSON itself.",
    risk: "Whoever may use the proxy spends the keys in it.",
    expected: "a JSON file such as targets.json, or a JSON object",
    type: "string | Readonly<Record<string, unknown>>",
    isVerbatim: true,
    parse: (text) => text.trim() || undefined,
    parseObject: (value) => value,
  },
};
